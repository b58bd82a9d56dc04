/** Roots on the disk: what stops the start, each with its root and rule. @module */

import { equal, match, rejects } from "node:assert/strict";
import type { LoomError } from "../../lib/errors.ts";
import { holds } from "../../lib/fs/roots.ts";
import { createWorld, type Place, type Settings } from "../support/fs_world.ts";
import { verifies } from "../support/verifies.ts";

const root = (name: string, path: string, role = "workspace") => ({ name, path, role });

interface Contradiction {
  readonly name: string;
  readonly settings: (top: string) => Settings;
  readonly before?: (place: Place) => void;
  readonly message: RegExp;
}

const CONTRADICTIONS: readonly Contradiction[] = [
  {
    name: "a folder that does not exist",
    settings: (top) => ({ roots: [root("a", `${top}/nope`)] }),
    message: /root 'a': path '.*\/nope' does not exist/,
  },
  {
    name: "a file",
    settings: (top) => ({ roots: [root("a", `${top}/root/a.txt`)] }),
    message: /root 'a': path .* is not a folder/,
  },
  {
    name: "one root inside another",
    settings: (top) => ({ roots: [root("a", `${top}/root`), root("b", `${top}/root/sub`, "reference")] }),
    message: /root 'b': its folder lies inside that of root 'a'/,
  },
  {
    name: "one root inside another, the inner one first",
    settings: (top) => ({ roots: [root("b", `${top}/root/sub`), root("a", `${top}/root`)] }),
    message: /root 'b': its folder lies inside that of root 'a'/,
  },
  {
    name: "one root inside another through a link",
    settings: (top) => ({ roots: [root("a", `${top}/root`), root("b", `${top}/way/sub`)] }),
    before: (place) => place.link(place.path("root"), "way"),
    message: /root 'b': its folder lies inside that of root 'a'/,
  },
  {
    name: "one folder twice",
    settings: (top) => ({ roots: [root("a", `${top}/root`), root("b", `${top}/root/../root/`)] }),
    message: /root 'b': its folder is that of root 'a'/,
  },
  {
    name: "a root that may be changed and holds the configuration",
    settings: (top) => ({ roots: [root("a", top)] }),
    message: /root 'a': it holds the config file/,
  },
  {
    name: "a root that holds the audit log",
    settings: (top) => ({ audit_log: `${top}/ref/x.log`, roots: [root("a", `${top}/ref`, "reference")] }),
    message: /root 'a': it holds the audit log/,
  },
  {
    name: "an audit log that is a link into a root",
    settings: (top) => ({ audit_log: `${top}/x.log`, roots: [root("a", `${top}/root`)] }),
    before: (place) => place.link(place.path("root/a.txt"), "x.log"),
    message: /root 'a': it holds the audit log/,
  },
  {
    name: "an audit log whose folder is a link into a root",
    settings: (top) => ({ audit_log: `${top}/way/x.log`, roots: [root("a", `${top}/root`)] }),
    before: (place) => place.link(place.path("root/sub"), "way"),
    message: /root 'a': it holds the audit log/,
  },
];

for (const { name, settings, before, message } of CONTRADICTIONS) {
  verifies("FS-4", `openRoots() refuses ${name}`, async () => {
    await rejects(createWorld({ settings, ...(before !== undefined && { before }) }), (error: LoomError) => {
      equal(error.code, "CONFIG_INVALID");
      match(error.message, message);
      return true;
    });
  });
}

verifies(
  "FS-4",
  "openRoots() takes roots that only look alike, and a reference root around the configuration",
  async () => {
    using twins = await createWorld({
      settings: (top) => ({ roots: [root("a", `${top}/root`), root("b", `${top}/root2`)] }),
      before: (place) => place.folder("root2"),
    });
    equal(twins.server.config.roots.length, 2);
    using around = await createWorld({ settings: (top) => ({ roots: [root("a", top, "reference")] }) });
    equal(around.server.tools.length, 4);
  },
);

Deno.test("holds() compares names, not letters", () => {
  equal(holds(["a", "b"], ["a", "b", "c"]), true);
  equal(holds(["a", "b"], ["a", "b"]), true);
  equal(holds(["a", "b"], ["a", "bc"]), false);
  equal(holds(["a", "b"], ["a"]), false);
  equal(holds([], ["a"]), true);
});
