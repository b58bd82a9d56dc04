import { deepEqual } from "node:assert/strict";
import { childEnvironment, ENVIRONMENT_ALLOWED } from "../../lib/gateway/environment.ts";
import { verifies } from "../support/verifies.ts";

const OWN: Readonly<Record<string, string>> = {
  PATH: "/bin",
  HOME: "/root",
  LANG: "C",
  AWS_SECRET_ACCESS_KEY: "s",
  NODE_OPTIONS: "--inspect",
  LD_PRELOAD: "x.so",
  USER: "me",
  SHELL: "/bin/sh",
  REGION: "eu",
};
const read = (name: string) => OWN[name];

verifies("PROC-1", "childEnvironment() gives the short list and nothing else", () => {
  deepEqual(childEnvironment({ env: {}, envPassthrough: [] }, read), { PATH: "/bin", HOME: "/root", LANG: "C" });
});

verifies("PROC-1", "childEnvironment() adds envPassthrough, then env, which has the last word", () => {
  const environment = childEnvironment(
    { env: { TOKEN: "t", PATH: "/own" }, envPassthrough: ["REGION", "ABSENT"] },
    read,
  );
  deepEqual(environment, { PATH: "/own", HOME: "/root", LANG: "C", REGION: "eu", TOKEN: "t" });
});

verifies("PROC-1", "ENVIRONMENT_ALLOWED is this list", () => {
  const expected = Deno.build.os === "windows"
    ? ["SystemRoot", "windir", "PATH", "PATHEXT", "ComSpec", "APPDATA", "LOCALAPPDATA", "TEMP", "TMP", "USERPROFILE"]
    : ["PATH", "HOME", "TMPDIR", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "TERM"];
  deepEqual(ENVIRONMENT_ALLOWED.slice(0, expected.length), expected);
});
