/** The demo as a test: two real servers, a table of each, one query over both. @module */

import { deepEqual, equal, ok } from "node:assert/strict";
import { verifies } from "../support/verifies.ts";
import { projectText } from "../support/tree.ts";
import { runDemo } from "../demo.ts";

/** Seconds in which the demo must have shown everything. */
const DEMO_SECONDS_MAX = 60;

const CHARS_PER_TOKEN = 4;

/** How far the envelope may be from the figure in README before that is to be renewed. */
const ENVELOPE_DRIFT = 0.2;

verifies("DIST-1", "the demo shows the main job on real servers, in under a minute", async () => {
  let text = "";
  const figures = await runDemo((part) => {
    text += part;
  });
  ok(figures.citiesChars > 10_000_000);
  ok(figures.citiesEnvelopeChars < 8_192);
  equal(figures.cityRows, 171_075);
  equal(figures.countryRows, 250);
  deepEqual(figures.northernmost[0], { name: "Longyearbyen", country: "SJ", lat: "78.22334" });
  deepEqual(figures.density[0], { region: "Europe", countries: 53, cities: 74_275, per_million_km2: 3_226.1 });
  ok(figures.tokensSaved > 4_000_000);
  ok(figures.seconds < DEMO_SECONDS_MAX);
  ok(text.includes("Saved:"));

  // The figures of README are those of a run.
  const readme = await projectText("README.md");
  for (const figure of [figures.citiesChars, figures.countriesChars, figures.cityRows]) {
    ok(readme.includes(figure.toLocaleString("en-US")), String(figure));
  }
  const millions = (figures.citiesChars + figures.countriesChars) / CHARS_PER_TOKEN / 1e6;
  ok(readme.includes(`about ${millions.toFixed(2)} M tokens`));
  const shown = Number(/\| an envelope, ([\d,]+) /.exec(readme)?.[1]?.replaceAll(",", ""));
  ok(
    Math.abs(shown - figures.citiesEnvelopeChars) < shown * ENVELOPE_DRIFT,
    `${shown} and ${figures.citiesEnvelopeChars}`,
  );
  // The SDK's transport leaves a timer behind that it does not wait for.
}, { sanitizeOps: false, sanitizeResources: false });
