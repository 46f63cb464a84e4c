import { create } from "@bufbuild/protobuf";
import { type NameSample, NameSampleSchema } from "../gen/fermata/refusal/v1/refusal_pb.ts";
import { utf8Length } from "./short-text.ts";

const maxNames = 16;
const maxNameBytes = 1024;
const maxListed = 64;
const maxListedBytes = 128;

/**
 * A refusal's sample of these names: the first 16 in the order of their UTF-8 bytes that fit into 1,024 bytes, and how many there are. A
 * name is never cut; one that does not fit only counts. Ten thousand names are not sorted for sixteen.
 */
export function sortedNameSample(names: readonly string[]): NameSample {
  const taken: string[] = [];
  let room = maxNameBytes;
  let candidates = names;
  while (taken.length < maxNames && candidates.length > 0) {
    const batch = smallest(candidates);
    for (const name of batch) {
      const bytes = utf8Length(name);
      if (taken.length === maxNames || bytes > room) continue;
      taken.push(name);
      room -= bytes;
    }
    candidates = behind(candidates, batch).filter((name) => utf8Length(name) <= room);
  }
  return create(NameSampleSchema, { names: taken, total: names.length });
}

/** An answer's sample of these names: the first 64 as they stand, each cut to 128 bytes, and how many there are. None for no names. */
export function listedNames(names: readonly string[]): NameSample | undefined {
  if (names.length === 0) return undefined;
  const listed = names.slice(0, maxListed).map(cutToListed);
  return create(NameSampleSchema, { names: listed, total: names.length });
}

function smallest(names: readonly string[]): readonly string[] {
  const sorted: string[] = [];
  for (const name of names) {
    const last = sorted[maxNames - 1];
    if (last !== undefined && compareUtf8(name, last) >= 0) continue;
    const place = sorted.findIndex((other) => compareUtf8(name, other) < 0);
    sorted.splice(place < 0 ? sorted.length : place, 0, name);
    sorted.length = Math.min(sorted.length, maxNames);
  }
  return sorted;
}

function behind(names: readonly string[], batch: readonly string[]): readonly string[] {
  const last = batch.at(-1);
  return last === undefined ? [] : names.filter((name) => compareUtf8(name, last) > 0);
}

/** The order of UTF-8 bytes, which is that of code points: unlike `<`, it puts surrogate pairs behind U+FFFF. */
function compareUtf8(one: string, other: string): number {
  const length = Math.min(one.length, other.length);
  for (let at = 0; at < length; at += 1) {
    const difference = rank(one.charCodeAt(at)) - rank(other.charCodeAt(at));
    if (difference !== 0) return difference;
  }
  return one.length - other.length;
}

function rank(unit: number): number {
  if (unit < 0xd800) return unit;
  return unit < 0xe000 ? unit + 0x2000 : unit - 0x800;
}

function cutToListed(name: string): string {
  const whole = name.toWellFormed();
  if (utf8Length(whole) <= maxListedBytes) return whole;
  const { read } = new TextEncoder().encodeInto(whole, new Uint8Array(maxListedBytes));
  return whole.slice(0, read);
}
