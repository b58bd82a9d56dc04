import assert from "node:assert/strict";
import type { Store } from "../../lib/store/mod.ts";
import { resultOf, someRows, withEngineRig } from "../support/engine_rig.ts";
import { verifies } from "../support/verifies.ts";

verifies(
  "ICPT-4",
  "Interceptor passes a result at the threshold and keeps one above it",
  () =>
    withEngineRig({}, async ({ offer }) => {
      const result = resultOf(someRows(200));
      const chars = JSON.parse(result).content[0].text.length;
      assert.deepEqual(await offer(result, { tokenThreshold: Math.ceil(chars / 4) }), {
        kind: "passed",
        reason: "small",
      });
      assert.equal((await offer(result, { tokenThreshold: Math.ceil(chars / 4) - 1 })).kind, "replaced");
    }),
);

verifies(
  "ICPT-5",
  "Interceptor finds rows in structuredContent before the text",
  () =>
    withEngineRig({}, async ({ offer, store }) => {
      const structured = JSON.stringify({ items: someRows(300) });
      const outcome = await offer(
        `{"content":[{"type":"text","text":${
          JSON.stringify(JSON.stringify(someRows(200)))
        }}],"structuredContent":${structured}}`,
      );
      assert.equal(outcome.kind, "replaced");
      const [dataset] = store.list();
      assert.equal(dataset?.rowCount, 300);
      assert.equal(dataset?.provenance.source, "structuredContent");
    }),
);

verifies("ICPT-5 ICPT-6", "Interceptor passes what holds no rows", () =>
  withEngineRig({}, async ({ offer, store }) => {
    for (
      const text of [
        "Once upon a time. ".repeat(1_000),
        "[]".padEnd(20_000),
        `{"a": "${"b".repeat(20_000)}"}`,
        "{".repeat(20_000),
      ]
    ) {
      assert.equal((await offer(resultOf(text))).kind, "passed", text.slice(0, 20));
    }
    assert.deepEqual(store.list(), []);
  }));

verifies(
  "ICPT-7",
  "Interceptor passes when the envelope would not be smaller, and drops the table",
  () =>
    withEngineRig({}, async ({ offer, store }) => {
      const outcome = await offer(resultOf([{ id: 1, name: "one" }, { id: 2, name: "two" }]), { tokenThreshold: 1 });
      assert.deepEqual(outcome, { kind: "passed", reason: "costly" });
      assert.deepEqual(store.list(), []);
    }),
);

verifies(
  "ICPT-9",
  "Interceptor gives the same ref for the same bytes, tool and arguments, and only then",
  () =>
    withEngineRig({}, async ({ keep }) => {
      const args = new TextEncoder().encode('{"page":1}');
      const first = await keep(someRows(300), { args });
      assert.equal((await keep(someRows(300), { args })).ref, first.ref);
      assert.notEqual((await keep(someRows(300))).ref, first.ref);
      assert.notEqual((await keep(someRows(300), { args, tool: "others" })).ref, first.ref);
      assert.notEqual((await keep(someRows(301), { args })).ref, first.ref);
    }),
);

verifies(
  "ICPT-10 ENV-8",
  "Interceptor shows redacted arguments and what else the result said",
  () =>
    withEngineRig({}, async ({ offer }) => {
      const args = new TextEncoder().encode('{"q":"x","auth":{"api_key":"hunter2"}}');
      const result = `{"_meta":{"trace":1.10},"nextCursor":"c-7",${resultOf(someRows(300)).slice(1)}`;
      const outcome = await offer(result, { args });
      assert.equal(outcome.kind, "replaced");
      const text = outcome.kind === "replaced" ? new TextDecoder().decode(outcome.result) : "";
      assert.match(text, /"_meta":\{"trace":1\.10\}\}$/);
      const envelope = JSON.parse(JSON.parse(text).content[0].text);
      assert.equal(envelope.context.nextCursor, "c-7");
      assert.deepEqual(envelope.provenance.args, { q: "x", auth: { api_key: "[redacted]" } });
      assert.doesNotMatch(text, /hunter2/);
    }),
);

verifies(
  "ENV-9",
  "Interceptor shows no arguments of a denylisted tool, anywhere",
  () =>
    withEngineRig({}, async ({ keep, ask }) => {
      const args = new TextEncoder().encode('{"q":"hunter2"}');
      const { ref, provenance } = await keep(someRows(300), { args, omitArgs: true });
      assert.equal(provenance.args, "[omitted]");
      for (
        const [tool, asked] of [["loom_describe", { ref }], ["loom_list_datasets", {}], ["loom_query", {
          sql: `FROM ${ref}`,
        }]] as const
      ) {
        assert.doesNotMatch((await ask(tool, asked)).text, /hunter2/);
      }
    }),
);

verifies("ICPT-11", "Interceptor passes bytes that are no UTF-8", () =>
  withEngineRig({}, async ({ store }) => {
    const { Interceptor } = await import("../../lib/engine/intercept.ts");
    const result = new TextEncoder().encode(resultOf(someRows(300)));
    result[40] = 0xff;
    const origin = { server: "crm", tool: "users", tokenThreshold: 1, omitArgs: false };
    assert.deepEqual(await new Interceptor(store).intercept({ origin, result }), {
      kind: "passed",
      reason: "not-utf-8",
    });
  }));

/** A store whose n-th operation fails, and which counts how many there were. */
function failing(store: Store, failAt: number, count: { calls: number }): Store {
  return new Proxy(store, {
    get(target, name) {
      const member = Reflect.get(target, name, target);
      if (typeof member !== "function") return member;
      return (...args: unknown[]) => {
        // Dropping is the way out of a failure; a store that cannot even drop is thrown away with its process.
        if (name !== "drop" && ++count.calls === failAt) throw new Error(`operation ${failAt} failed`);
        return Reflect.apply(member, target, args);
      };
    },
  });
}

verifies("ICPT-6", "Interceptor passes and leaves no table, whichever operation of the store fails", async () => {
  for (let failAt = 1;; failAt++) {
    const count = { calls: 0 };
    let kind = "";
    await withEngineRig({ wrap: (store) => failing(store, failAt, count) }, async ({ offer, store }) => {
      kind = (await offer(resultOf(someRows(300)))).kind;
      if (kind === "passed") assert.deepEqual(store.list(), [], `operation ${failAt}`);
    });
    if (kind === "replaced") {
      assert.ok(failAt > 3, `only ${failAt - 1} operations were made to fail`);
      return;
    }
    assert.ok(failAt < 50, "the loop ends");
  }
});
