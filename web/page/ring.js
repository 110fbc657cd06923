// A ring of bytes from one thread to another, where threads may share memory. Messages go through it piece by piece,
// each after its length, so none is too long for it.

class Ring {
  constructor(buffer) {
    /** How many bytes were written and read since the beginning, modulo 2^32. */
    this.counts = new Int32Array(buffer, 0, 2);
    /** As many as a power of two, so that the counts may wrap around. */
    this.bytes = new Uint8Array(buffer, 8);
  }

  /** Writes as many of these bytes as there is room for; returns how many. */
  write(from) {
    const written = Atomics.load(this.counts, 0);
    const room = this.bytes.length - ((written - Atomics.load(this.counts, 1)) >>> 0);
    const length = Math.min(room, from.length);
    this.copy(written, length, (at, begun, end) => this.bytes.set(from.subarray(begun, end), at));
    Atomics.store(this.counts, 0, (written + length) | 0);
    return length;
  }

  /** Reads as many bytes as there are and fit; returns how many. */
  read(into) {
    const read = Atomics.load(this.counts, 1);
    const length = Math.min((Atomics.load(this.counts, 0) - read) >>> 0, into.length);
    this.copy(read, length, (at, begun, end) => into.set(this.bytes.subarray(at, at + end - begun), begun));
    Atomics.store(this.counts, 1, (read + length) | 0);
    return length;
  }

  copy(count, length, part) {
    const at = (count >>> 0) % this.bytes.length;
    const first = Math.min(length, this.bytes.length - at);
    part(at, 0, first);
    if (first < length) part(0, first, length);
  }
}

/** Sends messages through a ring, the next one when the last is through. */
class RingSender {
  constructor(buffer) {
    this.ring = new Ring(buffer);
    this.rest = new Uint8Array(0);
  }

  /** Returns whether the last message is through. */
  isThrough() {
    this.rest = this.rest.subarray(this.ring.write(this.rest));
    return this.rest.length === 0;
  }

  send(bytes) {
    this.rest = new Uint8Array(4 + bytes.length);
    new DataView(this.rest.buffer).setUint32(0, bytes.length, true);
    this.rest.set(bytes, 4);
    this.isThrough();
  }
}

/** Receives messages from a ring. */
class RingReceiver {
  constructor(buffer) {
    this.ring = new Ring(buffer);
    this.length = new Uint8Array(4);
    this.begin(this.length);
  }

  begin(part) {
    this.part = part;
    this.filled = 0;
  }

  /** Returns the next message, or null if it is not there yet. */
  next() {
    for (;;) {
      this.filled += this.ring.read(this.part.subarray(this.filled));
      if (this.filled < this.part.length) return null;
      const whole = this.part;
      if (whole !== this.length) {
        this.begin(this.length);
        return whole;
      }
      this.begin(new Uint8Array(new DataView(whole.buffer).getUint32(0, true)));
    }
  }
}
