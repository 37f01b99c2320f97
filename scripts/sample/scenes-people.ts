/** Scenes of streets, festivals, school and work. Each function returns the layers of a motif. */
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
  placeGroup,
  type Stage,
  shape,
} from './scene-parts.ts';

/** A street that leads away: fronts on both sides, signs, lanterns on a rope, people. */
export function street(s: Stage, seed: number): Layers {
  const { w, h, next } = s;
  const night = seed % 3 === 0;
  const [x, y] = [w * (0.42 + next() * 0.16), h * 0.56];
  const dim = night ? 0.45 : 1;
  const fronts = [0, 1].flatMap((right) =>
    [5, 4, 3, 2, 1, 0].map((n) => {
      const at = (k: number) => (right ? x + (w - x) * k : x - x * k);
      const [far, near] = [0.86 ** (n * 2.6 + 2.2) + 0.05, 0.86 ** (n * 2.6 - 0.6) + 0.05].map((k) => k * 1.08) as [
        number,
        number,
      ];
      const [x0, x1, tall] = [at(far), at(near), h * (0.5 + next() * 0.3)];
      const light = (right ? 0.62 : 0.36) * dim + next() * 0.14;
      const quad = (from: number, to: number, low: number, high: number, shade: number) => {
        const [a, b, ka, kb] = [x0 + (x1 - x0) * from, x0 + (x1 - x0) * to, far + (near - far) * from, far + (near - far) * to];
        const v = (k: number, up: number) => y + k * (h * 0.26 - up * (tall + h * 0.26));
        return shape(`M${a} ${v(ka, low)}L${b} ${v(kb, low)}L${b} ${v(kb, high)}L${a} ${v(ka, high)}z`, shade);
      };
      const glass = night ? 0.95 : 0.12;
      return `${quad(0, 1, 0, 1, light)}${quad(0.1, 0.44, 0.04, 0.32, glass * (0.7 + next() * 0.4))}${quad(0.52, 0.68, 0, 0.32, 0.14)}${quad(0.74, 0.95, 0.06, 0.32, glass)}${quad(0.02, 0.98, 0.36, 0.45, light + 0.22)}${quad(0.06, 0.94, 0.385, 0.425, light - 0.2)}${quad(0, 1, 0.32, 0.36, light - 0.25)}${quad(0.12, 0.3, 0.56, 0.8, 0.15 + next() * 0.1)}${quad(0.42, 0.6, 0.56, 0.8, 0.18)}${quad(0.72, 0.9, 0.56, 0.8, 0.15)}${quad(0, 1, 0.95, 1, light - 0.22)}`;
    }),
  );
  const road = `${shape(`M0 ${h}L${x - 14} ${y}h28L${w} ${h}z`, night ? 0.2 : 0.6)}${shape(`M0 ${h}L0 ${h * 0.82}L${x - 14} ${y}h8L${w * 0.3} ${h}z`, night ? 0.12 : 0.42)}`;
  const people = many(11, (n) => {
    const k = 0.16 + ((n + next()) / 11) ** 2 * 0.75;
    return drawFigure(s, x + (next() - 0.5) * w * k * 0.8, y + k * h * 0.36, h * 0.4 * k + 8, night ? 0.04 : 0.1);
  });
  const lanterns = many(3, (n) => {
    const [ly, k] = [h * (0.08 + n * 0.12), 1 - n * 0.27];
    return `${line(`M${x - w * 0.5 * k} ${ly}Q${x} ${ly + h * 0.1} ${x + w * 0.5 * k} ${ly}`, 0.1, 0.9)}${many(7, (m) => `<ellipse cx="${x + w * k * ((m + 0.5) / 7 - 0.5)}" cy="${ly + h * 0.05 * Math.sin(((m + 0.5) / 7) * 3.14) + 7}" rx="${6.5 * k}" ry="${8.5 * k}" fill="${gray(night ? 1 : 0.84)}" stroke="${gray(night ? 0.8 : 0.35)}" stroke-width="0.6"/>`)}`;
  });
  return {
    sky: night ? [0.06, 0.2, 0.1] : [0.72, 0.93, 0.16],
    back: road + fronts.join(''),
    front: (night ? blurred(lanterns, 9) : '') + lanterns + people,
    haze: night ? [y, 0.1] : [y, 0.35],
  };
}

export function seaWall(s: Stage, seed: number): Layers {
  const { w, h, next } = s;
  const top = h * 0.64;
  const stones = many(70, () => {
    const [x, y, long] = [next() * w, top + 16 + next() * (h - top), 22 + next() * 30];
    return `${box(x, y, long, 12 + next() * 10, 0.4 + next() * 0.16)}${line(`M${x} ${y}h${long}v14`, 0.28, 0.9)}`;
  });
  const wall = box(0, top, w, h, 0.44) + stones + box(0, top - 2, w, 15, 0.68);
  const group = placeGroup(s, seed, w > h ? [7] : [5], 'children', w > h ? 21 : 19, top + 14);
  return {
    sky: [0.68, 0.9, 0.22],
    back: `${drawHills(s, h * 0.44, 0.12, 0.6, seed)}${many(2, () => drawBoat(s, w * (0.1 + next() * 0.8), h * 0.44, w * 0.1, 0.3))}`,
    water: [h * 0.44, 0.86],
    middle: wall,
    people: group,
  };
}

export function procession(s: Stage): Layers {
  const { w, h, next } = s;
  const spots = Array.from({ length: 26 }, (_, n) => {
    const k = 0.25 + ((n + next()) / 26) ** 1.5 * 0.6;
    return { x: w * (0.5 + (next() - 0.5) * (0.5 + k)), y: h * (0.5 + k * 0.42), tall: Math.min(w * 0.7, h) * 0.46 * k };
  });
  const glow = spots.map(
    ({ x, y, tall }) =>
      `<circle cx="${x + tall * 0.2}" cy="${y - tall * 1.2}" r="${tall * 0.26}" fill="${gray(0.95)}" opacity="0.65"/>`,
  );
  const marchers = spots.map(
    ({ x, y, tall }) =>
      `${drawFigure(s, x, y, tall, 0.03)}${line(`M${x + tall * 0.1} ${y - tall * 0.5}L${x + tall * 0.18} ${y - tall * 1.32}`, 0.05, tall / 40)}<ellipse cx="${x + tall * 0.2}" cy="${y - tall * 1.2}" rx="${tall * 0.1}" ry="${tall * 0.14}" fill="#fff"/>${line(`M${x + tall * 0.11} ${y - tall * 1.24}h${tall * 0.18}m0 ${tall * 0.08}h${-tall * 0.18}`, 0.7, tall / 90)}`,
  );
  const houses = many(6, (n) => drawHouse(s, w * (n * 0.18 - 0.04), h * 0.58, w * 0.16, h * (0.2 + next() * 0.14), 0.2));
  return {
    sky: [0.04, 0.22, 0.12],
    back: houses + box(0, h * 0.57, w, h, 0.13),
    front: blurred(glow.join(''), 14) + marchers.join(''),
    haze: [h * 0.6, 0.12],
  };
}

export function flood(s: Stage): Layers {
  const { w, h, next } = s;
  const level = h * (0.56 + next() * 0.06);
  const houses = many(5, (n) =>
    drawHouse(s, w * (n * 0.22 - 0.08), level + h * 0.06, w * 0.2, h * (0.24 + next() * 0.16), 0.42 + next() * 0.2),
  );
  const poles = `${many(3, (n) => line(`M${w * (0.2 + n * 0.33)} ${level + 8}V${h * 0.12}m${-w * 0.04} 10h${w * 0.08}`, 0.15, 2.4))}${line(`M0 ${h * 0.17}Q${w * 0.1} ${h * 0.2} ${w * 0.2} ${h * 0.15}Q${w * 0.36} ${h * 0.21} ${w * 0.53} ${h * 0.15}Q${w * 0.7} ${h * 0.21} ${w * 0.86} ${h * 0.15}T${w} ${h * 0.19}`, 0.2, 0.8)}`;
  const rower = `<g transform="translate(${w * (0.3 + next() * 0.35)} ${h * 0.82})">${shape('M-70 -10q70 16 140 -4q-14 32 -40 32h-62q-28 0 -38 -28z', 0.12)}${drawFigure(s, -14, 8, 66, 0.1)}${drawFigure(s, 26, 8, 60, 0.16)}${line('M-14 -24L-96 20', 0.16, 2.6)}</g>`;
  const wreck = many(9, () => {
    const [x, y] = [next() * w, level + 20 + next() * (h - level)];
    return line(`M${x} ${y}l${12 + next() * 34} ${(next() - 0.5) * 8}`, 0.18, 2 + next() * 3);
  });
  return {
    sky: [0.55, 0.8, 0.3],
    back: drawHills(s, level, 0.22, 0.55, next() * 99) + houses + poles,
    water: [level, 0.8],
    front: wreck + rower,
  };
}

export function picnic(s: Stage, seed: number): Layers {
  const { w, h, next } = s;
  const leaves = blurred(
    many(
      620,
      (n) =>
        `<circle cx="${w * 0.16 + (next() + next() - 1) * w * 0.34}" cy="${h * 0.1 + (next() + next() - 1) * h * 0.26}" r="${2 + next() * (n < 200 ? 9 : 4)}" fill="${gray(0.08 + (n / 620) * 0.2 + next() * 0.14)}"/>`,
    ),
    0.9,
  );
  const grass = many(260, () => {
    const [x, y] = [next() * w, h * (0.56 + next() * 0.44)];
    return line(`M${x} ${y}q${2 - next() * 4} -5 ${3 - next() * 6} ${-6 - next() * 6}`, 0.3 + next() * 0.3, 0.8);
  });
  const hill = shape(`M0 ${h * 0.52}Q${w * 0.5} ${h * 0.42} ${w} ${h * 0.58}V${h}H0z`, 0.46);
  return {
    sky: [0.7, 0.92, 0.26],
    back: `${drawHills(s, h * 0.5, 0.14, 0.66, seed)}${shape(`M${w * 0.13} ${h * 0.7}q14 -${h * 0.3} 6 -${h * 0.6}h20q-4 ${h * 0.3} 12 ${h * 0.6}z`, 0.16)}${hill}${grass}`,
    middle: leaves,
    people: placeGroup(s, seed, w > h ? [6, 7] : [4, 5], 'children', w > h ? 19 : 19, h * 0.9),
    front: many(70, () => {
      const x = next() * w;
      return line(`M${x} ${h}q${next() * 4} -12 ${4 - next() * 8} ${-12 - next() * 14}`, 0.26, 1.2);
    }),
  };
}

export function packing(s: Stage, seed: number): Layers {
  const { w, h, next } = s;
  const windows = many(6, (n) => {
    const x = w * (0.03 + n * 0.165);
    return `${box(x, h * 0.06, w * 0.12, h * 0.3, 0.96)}${line(`M${x} ${h * 0.16}h${w * 0.12}m0 ${h * 0.1}h${-w * 0.12}M${x + w * 0.04} ${h * 0.06}v${h * 0.3}m${w * 0.04} 0v${-h * 0.3}`, 0.35, 2)}`;
  });
  const beams = many(4, (n) => line(`M${w * n * 0.33} ${h}V0`, 0.14, 7)) + box(0, h * 0.38, w, 6, 0.2);
  const table = `${box(0, h * 0.8, w, h * 0.2, 0.5)}${box(0, h * 0.79, w, 8, 0.74)}${many(60, () => {
    const [x, y] = [next() * w, h * (0.815 + next() * 0.13)];
    return shape(`M${x} ${y}q13 -7 26 0l7 -4v8l-7 -4q-13 7 -26 0z`, 0.5 + next() * 0.4);
  })}`;
  return {
    sky: [0.3, 0.34, 0.05],
    back: box(0, 0, w, h, 0.3) + blurred(windows, 6) + windows + beams,
    people: placeGroup(s, seed, w > h ? [6, 5] : [4, 3], 'women', 23, h * 0.79),
    front: table,
  };
}

export function crew(s: Stage, seed: number): Layers {
  const { w, h } = s;
  const rails = `${many(12, (n) => line(`M${w * (n / 11)} ${h * 0.2}V${h * 0.5}`, 0.7, 3))}${line(`M0 ${h * 0.21}h${w}M0 ${h * 0.32}h${w}`, 0.74, 3.4)}`;
  const doors = many(4, (n) => {
    const x = w * (0.06 + n * 0.25);
    return `<rect x="${x}" y="${h * 0.08}" width="${w * 0.1}" height="${h * 0.6}" rx="8" fill="${gray(0.24)}"/><circle cx="${x + w * 0.165}" cy="${h * 0.28}" r="${h * 0.05}" fill="${gray(0.12)}" stroke="${gray(0.45)}" stroke-width="4"/>`;
  });
  return {
    sky: [0.6, 0.6, 0.05],
    back: `${box(0, 0, w, h, 0.6)}${box(0, 0, w, h * 0.05, 0.3)}${many(18, (n) => line(`M${w * (n / 17)} ${h * 0.05}v${h}`, 0.53, 1))}${doors}${rails}${ground(s, h * 0.8, 0.4)}`,
    people: placeGroup(s, seed, [5, 6, 5], 'crew', 27, h * 0.98),
  };
}
