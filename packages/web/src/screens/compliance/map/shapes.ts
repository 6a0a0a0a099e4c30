/** Shape of a point. The shape `ring` is hollow. */
export type Shape = 'disc' | 'square' | 'triangle' | 'diamond' | 'ring';

/**
 * Returns the outline of a shape, centered at the origin, as an SVG path. With the same radius, all
 * shapes have about the same area.
 */
export function outlineOf(shape: Shape, radius: number): string {
  switch (shape) {
    case 'disc':
    case 'ring':
      return `M${-radius},0a${radius},${radius} 0 1,0 ${2 * radius},0a${radius},${radius} 0 1,0 ${-2 * radius},0Z`;
    case 'square': {
      const half = radius * 0.9;
      return `M${-half},${-half}H${half}V${half}H${-half}Z`;
    }
    case 'triangle': {
      const side = radius * 1.15;
      return `M0,${-side * 1.1}L${side},${side * 0.75}H${-side}Z`;
    }
    case 'diamond': {
      const half = radius * 1.25;
      return `M0,${-half}L${half},0L0,${half}L${-half},0Z`;
    }
  }
}
