/** Deny patterns: the built-in list, how lists add up, and the forms in which a name is recognised. @module */

import { deepEqual, equal } from "node:assert/strict";
import { BUILT_IN_DENY, compileDeny, foldedName } from "../../lib/fs/deny.ts";
import { createWorld } from "../support/fs_world.ts";
import { verifies } from "../support/verifies.ts";

const DENIED: readonly (readonly [string, string])[] = [
  [".env", ".env"],
  [".env.local", ".env.*"],
  ["server.pem", "*.pem"],
  ["a.key", "*.key"],
  ["a.p12", "*.p12"],
  ["a.pfx", "*.pfx"],
  ["id_rsa", "id_rsa*"],
  ["id_rsa.pub", "id_rsa*"],
  ["id_ecdsa", "id_ecdsa*"],
  ["id_ed25519_work", "id_ed25519*"],
  [".ssh", ".ssh"],
  [".aws", ".aws"],
  [".gnupg", ".gnupg"],
  [".netrc", ".netrc"],
  [".npmrc", ".npmrc"],
  [".pypirc", ".pypirc"],
  [".git", ".git"],
  [".venv", ".venv"],
  ["node_modules", "node_modules"],
  ["__pycache__", "__pycache__"],
  [".mcp-trash", ".mcp-trash"],
];

verifies("FS-10", "compileDeny() holds the built-in list, whatever is configured", () => {
  deepEqual([...new Set(DENIED.map(([, pattern]) => pattern))], [...BUILT_IN_DENY]);
  for (const deny of [compileDeny([]), compileDeny(["*.tmp", "x"])]) {
    for (const [name, pattern] of DENIED) equal(deny.matching(name), pattern, name);
  }
});

verifies("FS-10", "compileDeny() leaves names alone that only look alike", () => {
  const deny = compileDeny([]);
  for (
    const name of [
      ".environment",
      "env",
      "my.env",
      ".envrc",
      ".gitignore",
      "git",
      "pem",
      "a.pem.txt",
      "keys",
      "x.keys",
      "my_id_rsa",
      "ssh",
      "node_modules2",
      ".github",
      "npmrc",
      "a.b",
      "\u2024env",
      "",
    ]
  ) {
    equal(deny.matching(name), undefined, name);
  }
});

verifies("FS-10", "compileDeny() sees through case, Unicode form, ignored characters and endings", () => {
  const deny = compileDeny(["priv\u00e9*", "Geheim"]);
  const forms: readonly (readonly [string, string])[] = [
    ["Id_RSA", "id_rsa*"],
    [".ENV", ".env"],
    [".Env.Local", ".env.*"],
    ["NODE_MODULES", "node_modules"],
    [".\u017f\u017fh", ".ssh"],
    ["a.\u212aey", "*.key"],
    [".g\u200cit", ".git"],
    [".\ufeffgit", ".git"],
    [".git.", ".git"],
    [".git ", ".git"],
    [".git. .", ".git"],
    [".env.", ".env.*"],
    ["prive\u0301.txt", "priv\u00e9*"],
    ["PRIVE\u0301", "priv\u00e9*"],
    ["gEHEIM", "Geheim"],
  ];
  for (const [name, pattern] of forms) equal(deny.matching(name), pattern, JSON.stringify(name));
});

Deno.test("foldedName() is stable and leaves a plain name as it is", () => {
  for (const name of ["readme.md", "\u00e4rger", "\u65e5\u672c"]) equal(foldedName(name), name);
  for (const name of ["A\u0308", "STRASSE", "\u0130x"]) equal(foldedName(foldedName(name)), foldedName(name));
});

verifies("FS-10", "lists for all roots and for one add up, and other roots keep their own", async () => {
  using world = await createWorld({
    settings: (top) => ({
      deny: ["*.all"],
      roots: [
        { name: "r", path: `${top}/root`, role: "reference", deny: ["*.one"] },
        { name: "ref", path: `${top}/ref`, role: "reference" },
      ],
    }),
    before(place) {
      for (const name of ["x.all", "x.one", ".env"]) {
        place.write(`root/${name}`, "x");
        place.write(`ref/${name}`, "x");
      }
    },
  });
  const names = async (root: string) => {
    const { entries } = await world.answer("list_directory", { root });
    return (entries as { name: string }[]).map(({ name }) => name);
  };
  deepEqual(await names("r"), ["a.txt", "sub"]);
  deepEqual(await names("ref"), ["doc.md", "x.one"]);
  equal(await world.refusal("read_file", { root: "r", path: "x.all" }), "'x.all' matches deny pattern '*.all'");
  equal(await world.refusal("read_file", { root: "r", path: "x.one" }), "'x.one' matches deny pattern '*.one'");
});

verifies(
  "FS-10",
  "a denied name is refused whether it exists or not, and a hard link to it under another name is not known",
  async () => {
    using world = await createWorld({
      before(place) {
        place.write("root/.env", "K");
        Deno.linkSync(place.path("root/.env"), place.path("root/n.txt"));
      },
    });
    for (const path of [".env", "sub/.env", "sub/.git/config"]) {
      const message = await world.refusal("read_file", { root: "r", path });
      equal(message, `'${path}' matches deny pattern '${path.includes("git") ? ".git" : ".env"}'`);
    }
    equal((await world.answer("read_file", { root: "r", path: "n.txt" })).content, "K");
  },
);
