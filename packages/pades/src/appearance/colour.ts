// PDF/A allows colours that depend on a device only under an output intent that fits them (ISO 19005-1, 6.2.3.3), so
// nothing that we draw has any.

/** ISO 32000-2, 8.6.5.3: the primaries and the white of sRGB (IEC 61966-2-1); its curve is close to a gamma of 2.2. */
export const SRGB =
  "[/CalRGB << /WhitePoint [0.9505 1 1.089] /Gamma [2.2 2.2 2.2] /Matrix [0.4124 0.2126 0.0193 0.3576 0.7152 0.1192 0.1805 0.0722 0.9505] >>]"
