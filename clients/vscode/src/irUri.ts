// SPDX-License-Identifier: Apache-2.0
// Names of virtual documents: which IR of which document one shows. The name ends in what is shown, so that tabs can be
// told apart. Knows no editor.

export const IR_SCHEME = 'placid-ir';

export interface IrView {
  document: string;
  kernel: string;
  /** A pass; empty: the last one. Not with `emit`. */
  after: string;
  emit: '' | 'pto';
}

export function irTitle(view: IrView): string {
  const name = view.kernel || 'all kernels';
  return view.emit === 'pto' ? `${name}.pto` : `${name} after ${view.after || 'the last pass'}.mlir`;
}

export function irUri(view: IrView): string {
  const query = new URLSearchParams({
    document: view.document,
    kernel: view.kernel,
    after: view.after,
    emit: view.emit,
  });
  return `${IR_SCHEME}:/${encodeURIComponent(irTitle(view))}?${encodeURIComponent(query.toString())}`;
}

/** From the decoded query of such a name; undefined for one that was not made here. */
export function parseIrQuery(query: string): IrView | undefined {
  const values = new URLSearchParams(query);
  const document = values.get('document');
  const emit = values.get('emit') ?? '';
  if (!document || (emit !== '' && emit !== 'pto')) {
    return undefined;
  }
  return { document, kernel: values.get('kernel') ?? '', after: values.get('after') ?? '', emit };
}
