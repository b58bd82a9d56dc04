import { equal, ok } from "node:assert/strict";
import { bytesOf, UnfinishedJson } from "../../lib/wire/mod.ts";
import { verifies } from "../support/verifies.ts";

const ANSWER =
  '{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"a\\\\\\"b\\u00e9\\\\ plain é😀 text \\\\\\\\ ' +
  'more \\n\\" and \\ud83d\\ude00 on"},{"type":"x","n":[1,{"k":"v"}]}]}}';

verifies("WIRE-9", "UnfinishedJson.ending() makes sound JSON of an answer cut anywhere inside a string value", () => {
  let ended = 0;
  for (const size of [1, 3, 64, 1000]) {
    for (let cut = 1; cut < ANSWER.length; cut++) {
      const json = new UnfinishedJson();
      // Whole characters: where bytes are cut inside one, the reader sees a replacement character.
      const head = ANSWER.slice(0, cut).toWellFormed();
      if (head !== ANSWER.slice(0, cut)) continue;
      for (let at = 0; at < head.length; at += size) json.push(bytesOf(head.slice(at, at + size)));
      const ending = json.ending(" [cut]", '"isError":true', 2);
      if (ending === undefined) continue;
      ended++;
      const { result } = JSON.parse(head + ending);
      if (result !== undefined && head.includes('"result"')) equal(result.isError, true, head);
    }
  }
  ok(ended > 200);
});

verifies("WIRE-9", "UnfinishedJson.ending() has no answer outside of string values", () => {
  for (const head of ["", '{"a', '{"a":', '{"a":1', '{"a":["x"', '{"a":"x"']) {
    const json = new UnfinishedJson();
    json.push(bytesOf(head));
    equal(json.ending("n", '"m":1', 1), undefined, head);
  }
});
