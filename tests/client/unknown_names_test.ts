import { equal, match } from "node:assert/strict";
import { fakeServer, Rig, textOfResult } from "../support/loom_rig.ts";
import { verifies } from "../support/verifies.ts";

const GONE = { name: "gone", command: "/nonexistent/command" };

verifies("NAME-9", "a name of a server that could not start is answered with what is the matter with it", async () => {
  await using rig = new Rig([GONE, { ...fakeServer("off"), enabled: false }, fakeServer("a", { prompts: ["p"] })]);
  await rig.initialize();
  const gone = await rig.call("gone_list_things");
  equal(gone.message.result.isError, true);
  match(
    textOfResult(gone),
    /^Server "gone" is down \(Cannot start .*not found.*\) and is not restarted; use other tools/,
  );
  match(textOfResult(await rig.call("off_echo")), /^Server "off" is down \(switched off in the config\)/);
  const prompt = await rig.request("prompts/get", '{"name":"gone_p"}');
  match(prompt.message.error.message, /^Server "gone" is down \(/);
});

verifies("NAME-9", "a name of a server that is tried again says so", async () => {
  await using rig = new Rig([fakeServer("dies", { initializeMs: -2 }), fakeServer("a")], {
    config: { restart: { maxAttempts: 1000, baseDelayMs: 20_000 } },
  });
  await rig.initialize();
  const answer = await rig.call("dies_echo");
  equal(answer.message.result.isError, true);
  match(textOfResult(answer), /^Server "dies" is down \(exited with code 4.*\) and being restarted; try again in/);
});

verifies("NAME-9", "a server that runs and does not list its tools is named with its reason", async () => {
  await using rig = new Rig([fakeServer("a", { unlisted: true }), fakeServer("b")]);
  await rig.initialize();
  const text = textOfResult(await rig.call("a_echo"));
  match(text, /^Server "a" runs, but its tools could not be listed \(no list today.*"a_echo" is not known; use other/);
});

verifies("NAME-9", "any other name is unknown, and the nearest ones are given", async () => {
  await using rig = new Rig([GONE, fakeServer("a"), fakeServer("gone_by")]);
  await rig.initialize();
  const { message } = await rig.call("a_ecko");
  equal(message.error.code, -32602);
  match(
    message.error.message,
    /^Unknown tool: a_ecko\. The nearest names: a_echo, [^,]+, [^,]+; tools\/list has them all$/,
  );
  match((await rig.call("loom_qery")).message.error.message, /nearest names: loom_query, /);
  // No prefix of a server: neither the name alone nor with another sign behind it.
  for (const name of ["gone", "gonelist", "nowhere_x"]) {
    match((await rig.call(name)).message.error.message, /^Unknown tool: /, name);
  }
  // The longer name is a server that is there and has said all it has.
  match(textOfResult(await rig.call("gone_by_echo")), /"name":"echo"/);
  equal((await rig.request("prompts/get", '{"name":"a_none"}')).message.error.code, -32602);
});
