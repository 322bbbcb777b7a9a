"""What is not ours is told by what it is: opened, dropped, pasted and checked alike."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.forms.files import load_pair
from app.forms.form import NotUnderstoodError
from app.forms.registry import read_text
from app.io.scene_file import SceneError, load
from app.io.scene_log import LogLine, read_line
from app.storage.file_kinds import kind_of_bytes, kind_words

BYTES = {
    "archive.zip": (b"PK\x03\x04\x14\x00\x00\x00\x08\x00\xff", "a zip file"),
    "model.tar.gz": (b"\x1f\x8b\x08\x00", "a gzip file"),
    "old.tar": (b"name" + bytes(253) + b"ustar\x0000", "a tar file"),
    "photo.bmp": (b"BM\x36\x00\x0c\x00", "a picture"),
    "scan.tiff": (b"II*\x00\x08\x00\x00\x00", "a picture"),
    "run": (b"\x7fELF\x02\x01\x01\x00", "a program"),
    "run.exe": (b"MZ\x90\x00\x03", "a program"),
    "song.wav": (b"RIFF\x24\x08\x00\x00WAVEfmt ", "a sound"),
    "points.npy": (b"\x93NUMPY\x01\x00v\x00{'descr'", "a numpy array"),
    "pair.pkl": (b"\x80\x04\x95\x1e\x00", "a Python pickle"),
    "run.bag": (b"#ROSBAG V2.0\nE\x00\x00\x00", "a ROS bag"),
    "table.h5": (b"\x89HDF\r\n\x1a\n\x00", "an HDF5 file"),
    "crate.glb": (b"glTF\x02\x00\x00\x00", "a glTF model"),
    "crate.fbx": (b"Kaydara FBX Binary  \x00\x1a\x00", "an FBX model"),
    "crate.blend": (b"BLENDER-v300", "a Blender file"),
    "notes.txt.gz": (b"\x1f\x8b\x08\x08\xd1", "a gzip file"),
    "letter.docx": (b"PK\x03\x04\x14\x00\x06\x00\x08", "a zip file"),
    "paper.doc": (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1\x00", "an Office document"),
    "redirected.json": ("{}".encode("utf-16"), "a text in UTF-16"),
    "noise.bin": (b"a\x00b\x01", "a binary file"),
}
TEXTS = {
    "script.py": ("import numpy as np\n\nprint(np.eye(3))\n", "a Python file"),
    "tool.py": ("#!/usr/bin/env python3\nprint(1)\n", "a Python file"),
    "main.cpp": ("// a test\n#include <vector>\nint main() {}\n", "a C++ file"),
    "main.rs": ("use std::fs;\n\nfn main() {}\n", "a Rust file"),
    "Box.cs": ("using System.Linq;\n", "a C# file"),
    "Box.java": ("package org.example.boxes;\n", "a Java file"),
    "index.js": ("import { World } from 'physics';\n", "a JavaScript file"),
    "run.sh": ("#!/bin/sh\nls\n", "a shell script"),
    "build.xml": ('<?xml version="1.0"?>\n<project name="x"/>\n', "an XML project"),
    "any.xml": ("<!-- a note -->\n<thing/>\n", "an XML file"),
    "model.dae": ('<?xml version="1.0"?>\n<COLLADA version="1.4.1"></COLLADA>', "a COLLADA model"),
    "mesh.ply": ("ply\nformat ascii 1.0\nelement vertex 8\n", "a PLY mesh"),
    "mesh.off": ("OFF\n8 6 0\n", "an OFF mesh"),
    "scene.wrl": ("#VRML V" + "2.0 utf8\n", "a VRML scene"),
    "scene.usda": ("#usda 1.0\n", "a USD scene"),
    "config.yaml": ("%YAML 1.2\n---\na: 1\n", "a YAML file"),
    "paper.tex": ("\\documentclass{article}\n", "a LaTeX file"),
    "fix.patch": ("diff --git a/x b/x\n", "a patch"),
    "book.ipynb": ('{\n "cells": []\n}\n', "a Jupyter notebook"),
    "crate.gltf": ('{"scene": 0, "asset": {"version": "2.0"}}', "a glTF model"),
    "robot.xacro": ('<robot name="r"></robot>', "a URDF robot"),
}


def robot(count: int) -> str:
    links = "".join(f'<link name="l{k}"><collision>\n</collision></link>\n' for k in range(count))
    return f'<?xml version="1.0"?>\n<robot name="arm">\n{links}</robot>\n'


MANY = {
    "arm.urdf": (robot(7), "a URDF robot with more than two collisions (7)", 7),
    "world.sdf": (
        '<sdf version="1.9"><model name="m">' + '\n<collision name="c"></collision>' * 3 + "</model></sdf>",
        "an SDF with more than two collisions (3)",
        4,
    ),
    "ant.xml": (
        "<mujoco>\n<worldbody>\n" + '<geom type="sphere" size="1"/>\n' * 4 + "</worldbody></mujoco>",
        "an MJCF model with more than two geoms (4)",
        5,
    ),
}


def refusal_of(path: Path) -> str:
    with pytest.raises(SceneError) as refusal:
        load_pair(path)
    said = str(refusal.value)
    assert "Expecting" not in said
    assert "UTF-8" not in said
    return said.removeprefix(f"{path}: ")


@pytest.mark.parametrize("name", BYTES)
def test_a_file_is_told_by_its_first_bytes(name: str, tmp_path: Path) -> None:
    data, words = BYTES[name]
    assert kind_words(data) == words
    path = tmp_path / name
    path.write_bytes(data)
    assert refusal_of(path) == f"is {words}, which is not read here"
    (tmp_path / "renamed.txt").write_bytes(data)
    assert words in refusal_of(tmp_path / "renamed.txt")


@pytest.mark.parametrize("name", TEXTS)
def test_a_text_is_told_by_its_first_words(name: str, tmp_path: Path) -> None:
    text, words = TEXTS[name]
    assert kind_words(text.encode()) == words
    path = tmp_path / name
    path.write_text(text)
    assert words in refusal_of(path)
    with pytest.raises(NotUnderstoodError) as refusal:
        _ = read_text(text).pair
    assert words in str(refusal.value) or str(refusal.value).startswith(("Line ", "Found no body"))


@pytest.mark.parametrize("name", MANY)
def test_more_bodies_than_a_pair_has_are_counted(name: str, tmp_path: Path) -> None:
    text, words, line = MANY[name]
    kind = kind_of_bytes(text.encode())
    assert kind is not None
    assert (kind.words, kind.line) == (words, line)
    path = tmp_path / name
    path.write_text(text)
    assert refusal_of(path) == f"Line {line}: the text is {words}; a pair has two"
    with pytest.raises(NotUnderstoodError) as refusal:
        _ = read_text(text).pair
    assert str(refusal.value) == f"Line {line}: the text is {words}; a pair has two"


@pytest.mark.parametrize("count", [1, 2])
def test_a_snippet_with_the_bodies_of_a_pair_keeps_the_sentence_of_its_form(count: int) -> None:
    with pytest.raises(NotUnderstoodError, match=r"needs one shape|the shape of|Found one body|is missing"):
        _ = read_text(robot(count)).pair


def test_a_picture_that_may_carry_a_scene_says_so(tmp_path: Path) -> None:
    path = tmp_path / "photo.jpg"
    path.write_bytes(b"\xff\xd8\xff\xe0\x00\x10JFIF")
    with pytest.raises(SceneError, match="is a picture without a scene inside"):
        load(path)


def test_a_large_file_is_told_by_what_it_is_too(tmp_path: Path) -> None:
    path = tmp_path / "large.zip"
    path.write_bytes(b"PK\x03\x04" + bytes(17 << 20))
    assert refusal_of(path) == "is a zip file, which is not read here"


def test_a_line_of_a_log_is_told_too() -> None:
    with pytest.raises(SceneError, match=r"^log:3: is a gzip file, which is not read here$"):
        read_line(LogLine(3, b"\x1f\x8b\x08\n"), "log")


@pytest.mark.parametrize("text", ["hello", "1 2 3 x", "", "box size 1 1 1"])
def test_what_is_nothing_known_has_no_words(text: str) -> None:
    assert kind_words(text.encode()) == ""


def test_a_text_that_is_nothing_known_is_a_text(tmp_path: Path) -> None:
    path = tmp_path / "hello.json"
    path.write_text("hello")
    assert refusal_of(path) == "is a text, not JSON"
    path.write_text('{"a": }')
    assert refusal_of(path) == "is not JSON: a value is missing, line 1 column 7"
