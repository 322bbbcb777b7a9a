"""Other engines, asked about the same pair: what can be asked, how, and in processes of their own."""
