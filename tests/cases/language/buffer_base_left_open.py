# expect: ok
# note: `pl.AUTO` leaves the address of a reserved buffer to the compiler
import pypto.language as pl


@pl.program
class Reserved:
    @pl.function(type=pl.FunctionType.AIV)
    def kernel(self, x: pl.Tensor[[16, 16], pl.FP32]):
        space = pl.reserve_buffer(name="slots", size=4096, base=pl.AUTO)
        pl.aiv_initialize_pipe(dir_mask=1, slot_size=1024, c2v_consumer_buf=space)
