/**
 * `uses: http`: reaches what has an HTTP API. Plain node:http over a connection of its own for every request, no
 * proxies, no credentials but those in `with`. See docs/guide/http-provider.md.
 */
import { type Reached, unreached } from "../../domain/crash-point.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Provider } from "../../ports/provider.ts";
import { describe } from "./describe.ts";
import { mutate } from "./mutate.ts";
import { observe } from "./observe.ts";

export const httpProvider = (clock: Clock, reached: Reached = unreached): Provider => ({
  name: "http",
  describe,
  observe: (question, io) => observe({ clock, reached }, question, io),
  create: (intent, io) => mutate({ clock, reached }, intent, io),
  update: (intent, io) => mutate({ clock, reached }, intent, io),
  destroy: (intent, io) => mutate({ clock, reached }, intent, io),
  compensate: (intent, io) => mutate({ clock, reached }, intent, io),
  owed: (intent, io) => mutate({ clock, reached }, intent, io),
});
