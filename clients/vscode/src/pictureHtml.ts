// SPDX-License-Identifier: Apache-2.0
// The page around a picture. The picture is the server's SVG: no script runs in the page, and nothing is loaded into it.
// Knows no editor.

export function escapeHtml(text: string): string {
  const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
  return text.replace(/[&<>"']/g, (c) => entities[c]);
}

export function pictureHtml(svg: string, title: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${escapeHtml(title)}</title>
<style>body{margin:0;padding:8px}svg{max-width:100%;height:auto}</style>
</head>
<body>
${svg}
</body>
</html>
`;
}
