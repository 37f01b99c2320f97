import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createByteWriter, readNumbers } from './varints.ts';

const number = fc.oneof(fc.nat(300), fc.maxSafeNat());

it('reads the numbers that were written, from any of them on', () => {
  fc.assert(
    fc.property(fc.array(number), (numbers) => {
      const writer = createByteWriter();
      const starts = numbers.map((each) => {
        const start = writer.length;
        writer.number(each);
        return start;
      });
      for (const [i, start] of starts.entries()) {
        const next = readNumbers(writer.view(), start);
        expect(numbers.slice(i).map(next)).toEqual(numbers.slice(i));
      }
    }),
    { examples: [[[0, 127, 128, 2 ** 32, Number.MAX_SAFE_INTEGER]]] },
  );
});

it('needs a byte for each seven bits', () => {
  fc.assert(
    fc.property(number, (each) => {
      const writer = createByteWriter();
      writer.number(each);
      expect(writer.length).toBe(Math.max(1, Math.ceil(each.toString(2).length / 7)));
    }),
  );
});

it('has all bytes that were written since it was cleared, however many', () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 9000, size: 'max' }), { maxLength: 4 }), (written) => {
      const writer = createByteWriter();
      writer.number(5);
      writer.clear();
      for (const bytes of written) writer.bytes(bytes);
      expect(Buffer.from(writer.view())).toEqual(Buffer.concat(written));
    }),
    { numRuns: 30 },
  );
});
