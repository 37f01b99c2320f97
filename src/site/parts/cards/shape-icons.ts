/** The icons of the choice between grid and list: paths in 16 by 16 units. */
export const SHAPE_ICONS = {
  gallery: 'M1.5 1.5h5v5h-5zM9.5 1.5h5v5h-5zM1.5 9.5h5v5h-5zM9.5 9.5h5v5h-5z',
  small:
    'M1 1h3v3H1zM6.5 1h3v3h-3zM12 1h3v3h-3zM1 6.5h3v3H1zM6.5 6.5h3v3h-3zM12 6.5h3v3h-3zM1 12h3v3H1zM6.5 12h3v3h-3zM12 12h3v3h-3z',
  list: 'M1 3.5h14M1 8h14M1 12.5h14',
} as const;
