#!/usr/bin/env python3
"""An exec provider in Python: a note is a JSON file in inputs.notes, named by its id."""
import json
import os
import pathlib
import sys


def say(line):
    print(json.dumps(line), flush=True)


request = json.load(sys.stdin)
inputs = request["inputs"]
folder = pathlib.Path(inputs["notes"])
folder.mkdir(parents=True, exist_ok=True)


def path(note_id):
    return folder / f"{note_id}.json"


def write(note_id, note):
    """Whole or not at all: a half-written note must not be found."""
    new = folder / f".new-{note_id}"
    new.write_text(json.dumps(note))
    os.replace(new, path(note_id))


def find():
    """The recorded id, or the note that one of our keys made."""
    if request["identity"] is not None:
        note_id = request["identity"]["id"]
        return note_id if path(note_id).exists() else None
    for file in folder.glob("*.json"):
        if json.loads(file.read_text())["key"] in request["keys"]:
            return file.stem
    return None


def observe():
    note_id = find()
    if note_id is None:
        return {"present": False}
    text = json.loads(path(note_id).read_text())["text"]
    seen = {"present": True, "id": note_id, "outputs": {"text": text}}
    if text == inputs["text"]:
        return seen | {"asDeclared": True}
    return seen | {"asDeclared": False, "reason": "its text differs"}


def create():
    note_id = f"note-{request['key'][-12:]}"
    say({"id": note_id})  # known before it exists: asfound commits it at once
    write(note_id, {"key": request["key"], "text": inputs["text"]})
    return {"outcome": "done", "id": note_id}


def update():
    note_id = find()
    if note_id is None:
        return {"outcome": "refused", "reason": "there is no such note"}
    note = json.loads(path(note_id).read_text())
    write(note_id, note | {"text": inputs["text"]})
    return {"outcome": "done"}


def destroy():
    path(request["identity"]["id"]).unlink(missing_ok=True)
    return {"outcome": "done"}


say({"observe": observe, "create": create, "update": update, "destroy": destroy}[request["action"]]())
