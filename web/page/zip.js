// Packs files into one, as they are: an SFZ file and its recordings are one download.
"use strict";

const CRC = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  return crc;
});

function crcOf(bytes) {
  let crc = 0xffffffff;
  for (const byte of bytes) crc = CRC[(crc ^ byte) & 255] ^ (crc >>> 8);
  return (crc ^ 0xffffffff) >>> 0;
}

/** Numbers of some widths in bytes, little-endian. */
function fields(pairs) {
  return Uint8Array.from(pairs.flatMap(([number, width]) =>
    Array.from({ length: width }, (_, byte) => Math.floor(number / 256 ** byte) & 255)));
}

/** Returns the parts of a ZIP file of files, each a name and bytes; names are UTF-8, nothing is compressed. */
function zip(files) {
  const [UTF8, VERSION, DATE] = [0x0800, 20, 0x0021];
  const parts = [];
  const table = [];
  let at = 0;
  for (const { name, bytes } of files) {
    const path = new TextEncoder().encode(name);
    const about = [[VERSION, 2], [UTF8, 2], [0, 2], [0, 2], [DATE, 2], [crcOf(bytes), 4], [bytes.length, 4],
      [bytes.length, 4], [path.length, 2], [0, 2]];
    const head = fields([[0x04034b50, 4], ...about]);
    table.push(fields([[0x02014b50, 4], [VERSION, 2], ...about, [0, 2], [0, 2], [0, 2], [0, 4], [at, 4]]), path);
    parts.push(head, path, bytes);
    at += head.length + path.length + bytes.length;
  }
  const size = table.reduce((sum, part) => sum + part.length, 0);
  const count = files.length;
  return [...parts, ...table, fields([[0x06054b50, 4], [0, 2], [0, 2], [count, 2], [count, 2], [size, 4], [at, 4], [0, 2]])];
}
