/** Style sheet of the printed page; constructed inside its frame. */
export const PRINT_STYLES = `
  @page { margin: 18mm 16mm; }
  html { font: 11pt/1.5 system-ui, "PingFang SC", "Noto Sans CJK SC", "Microsoft YaHei", sans-serif; color: #000; background: #fff; }
  body { margin: 0; }
  h1 { font-size: 18pt; margin: 0 0 2mm; }
  h2 { font-size: 13pt; margin: 6mm 0 2mm; padding-block-end: 1mm; border-block-end: 0.3mm solid #999; }
  h3 { font-size: 11.5pt; margin: 4mm 0 1mm; }
  h4 { font-size: 10.5pt; margin: 2mm 0 0.5mm; }
  p { margin: 0 0 1.5mm; }
  ul { margin: 0; padding-inline-start: 5mm; }
  li, h2, h3, h4 { break-inside: avoid; }
  h2, h3, h4 { break-after: avoid; }
`;
