# case: builder_tile_of_any_size
# expect: ok
# arch: any
# entry: Copy.kern
# rule: an extent that a builder would be given is static for whoever gives it, also in the annotation of a tile
import pypto.language as pl


def build(columns, dtype):
    @pl.program
    class Copy:
        @pl.function(type=pl.FunctionType.InCore)
        def kern(
            self,
            x: pl.Tensor[[16, columns], dtype],
            out: pl.Out[pl.Tensor[[16, columns], dtype]],
        ) -> pl.Tensor[[16, columns], dtype]:
            part: pl.Tile[[16, columns], dtype] = pl.load(x, [0, 0], [16, columns])
            out = pl.store(part, [0, 0], out)
            return out

    return Copy
