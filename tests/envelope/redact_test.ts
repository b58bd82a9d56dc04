import assert from "node:assert/strict";
import { ARGUMENT_BYTES_MAX, ARGUMENT_CHARS_MAX, redactArguments } from "../../lib/envelope/redact.ts";
import { verifies } from "../support/verifies.ts";

const redacted = (json: string) => redactArguments(new TextEncoder().encode(json)) ?? "absent";

for (
  const key of [
    "token",
    "accessToken",
    "SECRET",
    "client_secret",
    "password",
    "db_passwd",
    "apiKey",
    "api-key",
    "API_KEY",
    "Authorization",
    "bearer",
    "credentials",
    "Set-Cookie",
    "privateKey",
    "private-key",
  ]
) {
  verifies("ENV-8", `redactArguments() hides the value of ${key} at any depth`, () => {
    for (const secret of ['"hunter2"', '{"deep":"hunter2"}', '["hunter2"]', "12345678901234567890"]) {
      const shown = redacted(`{"q":1,"outer":[{${JSON.stringify(key)}:${secret}}]}`);
      assert.equal(shown, `{"q":1,"outer":[{${JSON.stringify(key)}:"[redacted]"}]}`);
    }
  });
}

verifies("ENV-8", "redactArguments() leaves other keys alone and cuts long strings", () => {
  assert.equal(
    redacted('{"tok":"a","pass":"b","key":"c","id":9007199254740993}'),
    '{"tok":"a","pass":"b","key":"c","id":"9007199254740993"}',
  );
  assert.equal(
    redacted(JSON.stringify({ q: "x".repeat(ARGUMENT_CHARS_MAX) })),
    JSON.stringify({ q: "x".repeat(ARGUMENT_CHARS_MAX) }),
  );
  assert.equal(
    redacted(JSON.stringify({ q: "x".repeat(ARGUMENT_CHARS_MAX + 1) })),
    JSON.stringify({ q: `${"x".repeat(ARGUMENT_CHARS_MAX)}…` }),
  );
});

verifies("ENV-8", "redactArguments() never throws and shows nothing of what it cannot read", () => {
  assert.equal(redacted('{"password":"hunter2'), '"[unreadable, 20 bytes]"');
  assert.equal(redacted(`{"password":"${"x".repeat(ARGUMENT_BYTES_MAX)}"}`), `"[${ARGUMENT_BYTES_MAX + 15} bytes]"`);
  const deep = `${'{"a":'.repeat(40)}"hunter2"${"}".repeat(40)}`;
  assert.match(redacted(deep), /\[too deep\]/);
  assert.doesNotMatch(redacted(deep), /hunter2/);
  assert.equal(redactArguments(undefined), undefined);
});
