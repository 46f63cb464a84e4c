import { describe, expect, it } from "vitest";
import { DocumentRoom, Share } from "../../src/transport/document-room.ts";

describe("the room of the documents in flight", () => {
  it("lets in what fits beside the others, and whoever is alone", () => {
    const room = new DocumentRoom(10, 2);
    const [one, other] = [new Share(room), new Share(room)];
    expect(one.resize(12)).toBe(true);
    expect(other.resize(1)).toBe(false);
    expect(one.resize(9)).toBe(true);
    expect(other.resize(1)).toBe(true);
    expect(one.resize(10)).toBe(false);
    expect(room.held).toBe(10);
  });

  it("lets a few read at once, and the others in their order", () => {
    const room = new DocumentRoom(100, 12);
    const order: string[] = [];
    expect([room.beginRead(), room.beginRead(), room.beginRead()]).toEqual([true, true, false]);
    const leaves = ["a", "b", "c"].map((name) => room.waitToRead(() => order.push(name)));
    leaves[1]?.();
    room.endRead();
    expect(order).toEqual(["a"]);
    expect(room.beginRead()).toBe(false); // c waits already
    room.endRead();
    expect(order).toEqual(["a", "c"]);
    room.endRead();
    expect(room.beginRead()).toBe(true);
  });

  it("begins no read while it is full, and writes beside reads that are under way", () => {
    const room = new DocumentRoom(10, 1);
    const [slow, writer] = [new Share(room), new Share(room)];
    expect(room.beginRead()).toBe(true);
    expect(writer.resize(4)).toBe(true);
    slow.hold(4); // what was read takes what it takes
    room.endRead();
    expect(room.isFull).toBe(true);
    expect(room.beginRead()).toBe(false);
    let begun = 0;
    room.waitToRead(() => {
      begun += 1;
    });
    writer.giveBack();
    expect(begun).toBe(1);
  });

  it("keeps room for writers beside readers who keep all that they get", () => {
    const room = new DocumentRoom(64, 8);
    const readers: Share[] = [];
    while (room.beginRead()) {
      const reader = new Share(room);
      reader.hold(8);
      readers.push(reader);
      room.endRead();
    }
    expect(readers).toHaveLength(5);
    expect(new Share(room).resize(16)).toBe(true);
  });

  it("holds nothing for an exchange that has ended", () => {
    const room = new DocumentRoom(10, 2);
    const gone = new Share(room);
    gone.resize(4);
    gone.giveBack();
    expect(gone.resize(8)).toBe(true);
    expect(room.held).toBe(0);
  });
});
