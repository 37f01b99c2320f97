/** Scenes of the harbor and its weather. Each function returns the layers of a motif. */
import { createPerson } from './people.ts';
import {
  blurred,
  box,
  drawBoat,
  drawFigure,
  drawHills,
  drawHouse,
  gray,
  ground,
  type Layers,
  line,
  many,
  type Stage,
  shape,
} from './scene-parts.ts';

export function nets(s: Stage, seed: number): Layers {
  const { w, h, next } = s;
  const horizon = h * 0.52;
  const poles = Array.from({ length: 5 }, (_, i) => ({ x: w * (0.02 + i * 0.24), y: h * (0.2 + next() * 0.06) }));
  const hung = poles.slice(1).map((to, i) => {
    const from = poles[i] ?? to;
    const sag = h * (0.05 + next() * 0.05);
    const rope = (drop: number, deep: number) =>
      `M${from.x} ${from.y + drop}Q${(from.x + to.x) / 2} ${from.y + drop + sag + deep} ${to.x} ${to.y + drop}`;
    const meshes = `${many(26, (n) => line(rope(n * h * 0.017, n * 1.5), 0.1, 0.8, 'opacity="0.75"'))}${many(30, (n) => line(`M${from.x + ((to.x - from.x) * n) / 30} ${from.y + ((to.y - from.y) * n) / 30 + (sag + 10) * 2 * (n / 30) * (1 - n / 30)}q${6 - next() * 12} ${h * 0.2} ${(next() - 0.5) * 8} ${h * (0.42 + next() * 0.06)}`, 0.1, 0.8, 'opacity="0.7"'))}`;
    const floats = many(
      9,
      (n) =>
        `<circle cx="${from.x + ((to.x - from.x) * (n + 0.5)) / 9}" cy="${from.y + ((to.y - from.y) * (n + 0.5)) / 9 + sag * 2 * ((n + 0.5) / 9) * (1 - (n + 0.5) / 9)}" r="3" fill="${gray(0.75)}"/>`,
    );
    return `${shape(`${rope(0, 0)}L${to.x} ${to.y + h * 0.45}Q${(from.x + to.x) / 2} ${from.y + h * 0.56} ${from.x} ${from.y + h * 0.45}z`, 0.16, 'opacity="0.36"')}${meshes}${floats}`;
  });
  const boats = many(3, (n) => drawBoat(s, w * (0.2 + n * 0.3), horizon - 1, w * 0.13, 0.25));
  const quay = `${ground(s, h * 0.76, 0.5)}${many(14, (n) => line(`M${w * (n / 13)} ${h * 0.76}L${w * ((n / 13) * 1.8 - 0.4)} ${h}`, 0.38, 1.4))}`;
  const menders = [0.2, 0.45, 0.76].map(
    (x, n) =>
      [
        {
          ...createPerson(seed * 7 + n, n === 1, 0.3),
          dress: n === 1 ? ('blouse' as const) : ('jersey' as const),
          hair: n === 1 ? ('scarf' as const) : ('cap' as const),
        },
        w * (x + next() * 0.06),
        h * (0.6 + next() * 0.06),
        Math.min(w, h) * 0.068,
      ] as const,
  );
  return {
    sky: [0.66, 0.88, 0.2],
    back: drawHills(s, horizon, 0.1, 0.62, next() * 99) + boats,
    water: [horizon, 0.82],
    middle: `${quay}${many(5, (n) => line(`M${poles[n]?.x} ${(poles[n]?.y ?? 0) - 14}V${h * 0.84}`, 0.09, 5))}${hung.join('')}`,
    people: menders,
  };
}

export function fog(s: Stage): Layers {
  const { w, h, next } = s;
  const horizon = h * (0.58 + next() * 0.06);
  const long = w * (0.5 + next() * 0.16);
  const x = w * 0.5 - long * (0.4 + next() * 0.2);
  const ship = `${shape(`M${x} ${horizon - long * 0.12}l${long * 0.07} ${long * 0.125}h${long * 0.86}l${long * 0.09} ${-long * 0.16}q${-long * 0.3} ${long * 0.05} ${-long * 1.02} ${long * 0.035}z`, 0.34)}${box(x + long * 0.14, horizon - long * 0.21, long * 0.64, long * 0.1, 0.62)}${box(x + long * 0.2, horizon - long * 0.27, long * 0.46, long * 0.065, 0.58)}${box(x + long * 0.56, horizon - long * 0.33, long * 0.12, long * 0.07, 0.54)}${shape(`M${x + long * 0.38} ${horizon - long * 0.26}l${long * 0.01} ${-long * 0.2}h${long * 0.08}l${long * 0.01} ${long * 0.2}z`, 0.3)}${many(13, (n) => box(x + long * (0.17 + n * 0.045), horizon - long * 0.18, long * 0.022, long * 0.03, 0.3))}${line(`M${x + long * 0.82} ${horizon - long * 0.1}V${horizon - long * 0.46}M${x + long * 0.16} ${horizon - long * 0.2}V${horizon - long * 0.42}L${x + long * 0.4} ${horizon - long * 0.46}L${x + long * 0.82} ${horizon - long * 0.46}L${x + long} ${horizon - long * 0.16}`, 0.36, 1.1)}`;
  const smoke = blurred(
    many(
      16,
      (n) =>
        `<circle cx="${x + long * 0.43 - n * 9}" cy="${horizon - long * 0.48 - n * 5 - next() * 10}" r="${7 + n * 2.6}" fill="${gray(0.5)}" opacity="${0.34 - n * 0.018}"/>`,
    ),
    8,
  );
  const piles = many(4, (n) => {
    const px = w * (0.06 + n * 0.05) + (n > 1 ? w * 0.66 : 0);
    return `${box(px, h * (0.66 + n * 0.02), w * 0.022, h, 0.13)}${box(px - 1.5, h * (0.655 + n * 0.02), w * 0.022 + 3, 5, 0.22)}`;
  });
  const gulls = many(6, () => line(`M${next() * w} ${h * (0.1 + next() * 0.35)}q5 -6 9 0q4 -6 9 -1`, 0.35, 1.3));
  return {
    sky: [0.68, 0.82, 0.12],
    back: drawHills(s, horizon, 0.16, 0.74, next() * 99) + smoke + ship,
    water: [horizon, 0.86],
    front: piles + gulls,
    haze: [horizon, 0.55],
  };
}

export function works(s: Stage): Layers {
  const { w, h, next } = s;
  const base = h * 0.66;
  const x = w * (0.6 + next() * 0.2);
  const stack = `${shape(`M${x - 9} ${base}L${x - 6} ${h * 0.17}h12L${x + 9} ${base}z`, 0.26)}${box(x - 8, h * 0.165, 16, 6, 0.2)}`;
  const steam = blurred(
    many(
      30,
      (n) =>
        `<circle cx="${x - n * 9 + next() * 12}" cy="${h * 0.15 - n * 2.2 + (next() - 0.5) * 26}" r="${8 + n * 1.5}" fill="${gray(0.84 + next() * 0.16)}" opacity="0.6"/>`,
    ),
    4,
  );
  const sheds = many(5, (n) => {
    const [sx, sw, tall] = [w * (n * 0.2 - 0.03), w * 0.21, h * (0.2 + next() * 0.05)];
    return `${box(sx, base - tall, sw, tall, 0.36 + n * 0.04)}${shape(`M${sx} ${base - tall}l${sw * 0.18} ${-h * 0.08}L${sx + sw} ${base - tall}z`, 0.24)}${many(6, (m) => box(sx + sw * (0.08 + m * 0.15), base - tall * 0.75, sw * 0.09, tall * 0.34, m % 3 ? 0.14 : 0.7))}`;
  });
  return {
    sky: [0.5, 0.76, 0.26],
    back: drawHills(s, base, 0.2, 0.56, next() * 99) + steam + stack + sheds,
    water: [base, 0.7],
    middle: box(0, h * 0.9, w, h, 0.16) + line(`M0 ${h * 0.9}h${w}`, 0.5, 2.5),
    front: `${many(3, () => drawFigure(s, w * (0.1 + next() * 0.5), h * 0.93, h * 0.22, 0.08))}${line(`M${w * 0.9} ${h}V${h * 0.5}l${-w * 0.22} ${-h * 0.24}M${w * 0.9} ${h * 0.62}l${-w * 0.19} ${-h * 0.32}v${h * 0.34}`, 0.1, 4)}`,
    haze: [base, 0.28],
  };
}

export function launching(s: Stage): Layers {
  const { w, h, next } = s;
  const base = h * 0.74;
  const hull = `M${w * 0.2} ${h * 0.3}Q${w * 0.24} ${h * 0.6} ${w * 0.4} ${base}H${w * 0.94}Q${w} ${h * 0.5} ${w} ${h * 0.36}Q${w * 0.6} ${h * 0.43} ${w * 0.2} ${h * 0.3}z`;
  const planks = many(9, (n) =>
    line(
      `M${w * (0.215 + n * 0.015)} ${h * (0.36 + n * 0.04)}Q${w * 0.6} ${h * (0.46 + n * 0.033)} ${w} ${h * (0.42 + n * 0.036)}`,
      0.2,
      0.9,
    ),
  );
  const props = many(8, (n) => line(`M${w * (0.36 + n * 0.08)} ${h * 0.6}L${w * (0.3 + n * 0.085)} ${h * 0.83}`, 0.12, 3));
  const flags = many(20, (n) => {
    const [x, y] = [w * (0.12 + n * 0.043), h * (0.27 - Math.sin((n / 19) * 3.14) * 0.19)];
    return shape(`M${x} ${y}l9 2l-6 11z`, n % 2 ? 0.88 : 0.22);
  });
  const crowd = many(44, (n) =>
    drawFigure(s, next() * w, h * (0.86 + (n / 44) * 0.2), h * (0.17 + (n / 44) * 0.13), 0.1 + next() * 0.1),
  );
  return {
    sky: [0.66, 0.9, 0.24],
    back: `${drawHills(s, h * 0.6, 0.12, 0.66, next() * 99)}${ground(s, h * 0.7, 0.52)}${line(`M${w * 0.52} ${h * 0.42}V${h * 0.05}M${w * 0.78} ${h * 0.4}V${h * 0.1}`, 0.2, 3.4)}${line(`M${w * 0.1} ${h * 0.29}Q${w * 0.5} ${-h * 0.1} ${w * 0.96} ${h * 0.3}`, 0.2, 0.8)}${flags}${shape(hull, 0.34)}${shape(`M${w * 0.2} ${h * 0.3}Q${w * 0.6} ${h * 0.43} ${w} ${h * 0.36}V${h * 0.4}Q${w * 0.6} ${h * 0.475} ${w * 0.212} ${h * 0.355}z`, 0.8)}${planks}${props}`,
    front: crowd,
  };
}

export function snow(s: Stage): Layers {
  const { w, h, next } = s;
  const line0 = h * 0.5;
  const sheds = many(4, (n) => {
    const [x, tall, wide] = [w * (n * 0.27 - 0.06), h * (0.16 + next() * 0.1), w * 0.22];
    return `${drawHouse(s, x, line0 + h * 0.06, wide, tall, 0.34)}${shape(`M${x - 8} ${line0 + h * 0.06 - tall + 2}l${wide / 2 + 8} ${-tall * 0.46}l${wide / 2 + 8} ${tall * 0.46}l-3 3h${-wide - 12}z`, 0.95)}`;
  });
  const slip = `${many(14, (n) => {
    const k = (n / 14) ** 1.6;
    return line(`M${w * (0.52 - 0.06 - k * 0.2)} ${h * (0.56 + k * 0.46)}h${w * (0.12 + k * 0.4)}`, 0.3, 1.5 + k * 5);
  })}${line(`M${w * 0.47} ${h * 0.55}L${w * 0.28} ${h}M${w * 0.57} ${h * 0.55}L${w * 0.78} ${h}`, 0.2, 4)}`;
  const flakes = many(
    150,
    () =>
      `<circle cx="${next() * w}" cy="${next() * h}" r="${0.5 + next() ** 3 * 2.4}" fill="#fff" opacity="${0.5 + next() * 0.4}"/>`,
  );
  return {
    sky: [0.62, 0.76, 0.14],
    back: `${drawHills(s, line0, 0.2, 0.68, next() * 99)}${sheds}${shape(`M0 ${h * 0.55}Q${w * 0.4} ${h * 0.5} ${w} ${h * 0.57}V${h}H0z`, 0.9)}${shape(`M0 ${h * 0.8}Q${w * 0.2} ${h * 0.7} ${w * 0.34} ${h}H0z`, 0.8)}${slip}`,
    front: `${drawBoat(s, w * 0.8, h * 0.78, w * 0.34, 0.16)}${drawFigure(s, w * 0.38, h * 0.8, h * 0.22, 0.08)}${flakes}`,
    haze: [line0, 0.3],
  };
}

export function fleet(s: Stage): Layers {
  const { w, h, next } = s;
  const horizon = h * (0.46 + next() * 0.08);
  const far = many(16, () => drawBoat(s, next() * w, horizon + 1, w * (0.06 + next() * 0.06), 0.42));
  const near = [0.2, 0.66].map((x) =>
    drawBoat(s, w * (x + next() * 0.12), h * (0.74 + next() * 0.1), w * (0.34 + next() * 0.1), 0.1),
  );
  return {
    sky: [0.56, 0.92, 0.34],
    back: drawHills(s, horizon, 0.14, 0.6, next() * 99) + far,
    water: [horizon, 0.84],
    front: `${near.join('')}${line(`M${w * 0.3} ${h * 0.76}L0 ${h * 0.9}M${w * 0.8} ${h * 0.8}L${w} ${h * 0.9}`, 0.12, 1.2)}`,
    haze: [horizon, 0.3],
  };
}
