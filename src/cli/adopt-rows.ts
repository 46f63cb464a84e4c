import { type Dirent, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { fromJsonString } from "@bufbuild/protobuf";
import { type AdoptRequest, AdoptRequestSchema } from "../gen/fermata/conversation/v1/conversation_service_pb.ts";
import { CommandEnd, exitCodes } from "./exit.ts";
import { readInput } from "./read-input.ts";

/** One row that is to be adopted: where it was read, how large it is there, and what it says. */
export interface AdoptRow {
  /** The file, and the line where a file has many. Keys and tenants are not told by it. */
  readonly name: string;
  readonly bytes: number;
  /** Absent: it is not the JSON form of the request. */
  readonly request: AdoptRequest | undefined;
}

/** The rows of a file, or of all .json and .jsonl files of a folder in the order of their names. One file is read at a time. */
export function* readRows(path: string): Generator<AdoptRow> {
  for (const file of filesOf(path)) {
    const text = readInput(file);
    if (!file.endsWith(".jsonl")) yield rowOf(file, text);
    else {
      for (const [at, line] of text.split("\n").entries()) {
        if (line.trim() !== "") yield rowOf(`${file}:${at + 1}`, line);
      }
    }
  }
}

/** How many bytes `readRows` will come to, for a person who waits. */
export function sizeOfRows(path: string): number {
  return filesOf(path).reduce((sum, file) => sum + statSync(file).size, 0);
}

function filesOf(path: string): readonly string[] {
  try {
    if (!statSync(path).isDirectory()) return [path];
    const files = readdirSync(path, { withFileTypes: true, recursive: true }).filter(isRowFile);
    return files.map(({ parentPath, name }) => join(parentPath, name)).toSorted();
  } catch (thrown) {
    if (!(thrown instanceof Error) || !("code" in thrown)) throw thrown;
    throw new CommandEnd(exitCodes.usage, `${path} cannot be read (${String(thrown.code)})`);
  }
}

function isRowFile(found: Dirent): boolean {
  return found.isFile() && /\.jsonl?$/.test(found.name);
}

function rowOf(name: string, text: string): AdoptRow {
  const bytes = Buffer.byteLength(text);
  try {
    return { name, bytes, request: fromJsonString(AdoptRequestSchema, text) };
  } catch (thrown) {
    if (thrown instanceof Error) return { name, bytes, request: undefined }; // Its message would tell of the content.
    throw thrown;
  }
}
