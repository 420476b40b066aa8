#!/usr/bin/env node
// An exec provider in JavaScript: a note is a JSON file in inputs.notes, named by its id.
import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { text } from "node:stream/consumers";

const request = JSON.parse(await text(process.stdin));
const { inputs, identity, key, keys } = request;
const say = (line) => console.log(JSON.stringify(line));
const path = (id) => join(inputs.notes, `${id}.json`);
await mkdir(inputs.notes, { recursive: true });

const read = async (id) => {
  try {
    return JSON.parse(await readFile(path(id), "utf8"));
  } catch (error) {
    if (error.code === "ENOENT") return null;
    throw error; // A note that cannot be read is no missing note: exit 1, and the reading failed.
  }
};
// Whole or not at all: a half-written note must not be found.
const write = async (id, note) => {
  await writeFile(join(inputs.notes, `.new-${id}`), JSON.stringify(note));
  await rename(join(inputs.notes, `.new-${id}`), path(id));
};
// The recorded id, or the note that one of our keys made.
const find = async () => {
  if (identity !== null) return (await read(identity.id)) === null ? null : identity.id;
  for (const name of await readdir(inputs.notes)) {
    const id = name.replace(/\.json$/, "");
    if (name.endsWith(".json") && keys.includes((await read(id))?.key)) return id;
  }
  return null;
};

const actions = {
  observe: async () => {
    const id = await find();
    const note = id === null ? null : await read(id);
    if (note === null) return { present: false };
    const same = note.text === inputs.text;
    return {
      present: true,
      id,
      outputs: { text: note.text },
      asDeclared: same,
      reason: same ? null : "its text differs",
    };
  },
  create: async () => {
    const id = `note-${key.slice(-12)}`;
    say({ id }); // known before it exists: asfound commits it at once
    await write(id, { key, text: inputs.text });
    return { outcome: "done", id };
  },
  update: async () => {
    const id = await find();
    if (id === null) return { outcome: "refused", reason: "there is no such note" };
    await write(id, { ...(await read(id)), text: inputs.text });
    return { outcome: "done" };
  },
  destroy: async () => {
    await rm(path(identity.id), { force: true });
    return { outcome: "done" };
  },
};
say(await actions[request.action]());
