/** Tests of lib/store/messages.ts. @module */

import { equal, match, ok } from "node:assert/strict";
import { LoomError } from "../../lib/errors.ts";
import { engineError, isInternal, isOutOfMemory, MESSAGE_CHARS_MAX, sanitized } from "../../lib/store/messages.ts";
import { verifies } from "../support/verifies.ts";

verifies("GATE-9", "sanitized() removes paths of the host and keeps those of the query", () => {
  const message =
    'IO Error: Cannot open "/home/ann/.duckdb/ext/x.so" and C:\\Users\\ann\\y or ~/.ssh/id: see /etc/passwd';
  equal(
    sanitized(message, "SELECT '/etc/passwd'"),
    'IO Error: Cannot open "<path>" and <path> or <path>: see /etc/passwd',
  );
  equal(sanitized("Binder Error: a / b and 1/2 are fine", ""), "Binder Error: a / b and 1/2 are fine");
  equal(sanitized("INTERNAL Error: x\n\nStack Trace:\n0 /usr/lib/a.so", ""), "INTERNAL Error: x");
});

Deno.test("sanitized() cuts at its limit", () => {
  equal(sanitized("x".repeat(MESSAGE_CHARS_MAX), "").length, MESSAGE_CHARS_MAX);
  match(sanitized("x".repeat(MESSAGE_CHARS_MAX + 1), ""), /^x{1000}…$/);
});

Deno.test("engineError() tells kinds of failure apart", () => {
  equal(engineError(new Error("Out of Memory Error: failed to pin block"), "").code, "OUT_OF_MEMORY");
  equal(engineError(new Error("Binder Error: no"), "").code, "QUERY_FAILED");
  equal(engineError(new Error(""), "").message, "Cannot run this query: the engine gave no reason");
  const own = new LoomError("NAME_TAKEN", "taken");
  equal(engineError(own, ""), own);
  ok(
    isInternal(new Error("INTERNAL Error: oops")) && isInternal(new Error("FATAL Error: x")) &&
      !isInternal(new Error("Binder Error")),
  );
  ok(isOutOfMemory(new Error("std::bad_alloc")) && !isOutOfMemory(new Error("Binder Error")));
});
