/** A racer swaps a file and a folder of the root for links that lead out, while all that can be done there is done. @module */

import { equal, ok } from "node:assert/strict";
import { Racer } from "../support/fs_racer.ts";
import { createWorld, safeAccesses, SECRET, textOf, type World } from "../support/fs_world.ts";
import { verifies } from "../support/verifies.ts";

/** Swaps that the racer makes while one way to open files is under test. */
const SWAPS = 10_000;

/** Rounds of calls that are made at least, however fast the racer is. */
const ROUNDS = 150;

type Call = readonly [string, Record<string, unknown>];

/** Everything that touches a file, aimed at the names that are being swapped. */
function callsOf(turn: number): readonly Call[] {
  const n = turn % 50;
  return [
    ["read_file", { path: "f.txt" }],
    ["read_file", { path: "d/secret.txt" }],
    ["read_file", { path: "d/secret.txt", start_line: 1, end_line: 9 }],
    ["list_directory", { path: "d" }],
    ["search_files", { pattern: "*", contains: "SECRET" }],
    ["search_files", { pattern: "d/*" }],
    ["write_file", { path: "w.txt", content: "inside\n" }],
    ["edit_file", { path: "w.txt", edits: [{ old_text: "inside", new_text: "inside" }] }],
    ["write_file", { path: "d/secret.txt", content: "inside\n" }],
    ["write_file", { path: `d/n${n}.txt`, content: "x" }],
    ["edit_file", { path: "d/secret.txt", edits: [{ old_text: "inside", new_text: "inside" }] }],
    ["create_directory", { path: `d/x${n}/y` }],
    ["move", { from: `d/n${n}.txt`, to: `d/m${n}.txt` }],
    ["move", { from: `d/m${n}.txt`, to: `m${n}.txt` }],
    ["delete", { path: `m${n}.txt` }],
    ["delete", { path: `d/x${n}` }],
  ];
}

for (const access of safeAccesses()) {
  verifies(
    "FS-11",
    `nothing outside is read or written while ${SWAPS} swaps go on, with ${access.opening}`,
    async () => {
      using world = await createWorld({
        access,
        before(place) {
          place.write("root/f.txt", "inside\n");
          place.write("root/d/secret.txt", "inside\n");
          place.link(place.path("outside/secret.txt"), "f.link");
          place.link(place.path("outside/secret.txt"), "w.link");
          place.link(place.path("outside"), "d.link");
          place.write("root/w.txt", "inside\n");
        },
      });
      const outside = world.outside();
      await using racer = new Racer({
        kind: "exchange",
        pairs: [
          [world.path("root/f.txt"), world.path("f.link")],
          [world.path("root/w.txt"), world.path("w.link")],
          [world.path("root/d"), world.path("d.link")],
        ],
      });
      let turn = 0;
      while (racer.steps < SWAPS || turn < ROUNDS) await attempt(world, turn++);
      equal(world.outside(), outside, "something outside the root changed");
      ok(racer.steps >= SWAPS);
    },
  );
}

async function attempt(world: World, turn: number): Promise<void> {
  // A write that wins takes the place of the link, so the link is laid again.
  world.link(world.path("outside/secret.txt"), "next.link");
  Deno.renameSync(world.path("next.link"), world.path("w.link"));
  for (const [tool, args] of callsOf(turn)) {
    const result = await world.call(tool, { root: "r", ...args });
    const told = JSON.stringify(result);
    ok(!told.includes(SECRET.trim()), `${tool} ${JSON.stringify(args)} gave ${textOf(result)}`);
  }
}

verifies(
  "FS-11",
  "the racer of these tests can be lost to: a path that was checked and then opened reads from outside",
  async () => {
    using world = await createWorld({
      before(place) {
        place.write("root/f.txt", "inside\n");
        place.link(place.path("outside/secret.txt"), "f.link");
      },
    });
    // The swap is made by hand between check and use, so that the outcome does not hang on luck.
    const path = world.path("root/f.txt");
    equal(Deno.realPathSync(path), path);
    Deno.removeSync(path);
    Deno.renameSync(world.path("f.link"), path);
    equal(Deno.readTextFileSync(path), SECRET);
    ok((await world.call("read_file", { root: "r", path: "f.txt" })).isError);
  },
);
