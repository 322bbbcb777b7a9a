"""imgui after a fault: every window, table and group that was begun is ended, and what was pushed is taken back."""

from __future__ import annotations

from .imgui_alone import imgui


class Recovery:
    """Where imgui's stacks stood."""

    def __init__(self) -> None:
        self._base = imgui.internal.ErrorRecoveryState()

    def store(self) -> None:
        """Notes how the stacks stand now; inside a frame."""
        imgui.internal.error_recovery_store_state(self._base)

    def recover(self) -> None:
        """Brings them back to that."""
        io = imgui.get_io()
        # What is missing is known; imgui would raise for it.
        io.config_error_recovery_enable_assert = io.config_error_recovery_enable_debug_log = False
        io.config_error_recovery_enable_tooltip = False
        try:
            imgui.internal.error_recovery_try_to_recover_state(self._base)
        finally:
            io.config_error_recovery_enable_assert = io.config_error_recovery_enable_debug_log = True
            io.config_error_recovery_enable_tooltip = True
