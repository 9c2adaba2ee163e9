# case: import_all
# expect: ok
# arch: any
# entry: ImportAll.kern
# kernels: 1
# rule: `import *` binds what the dialect has
# annotation: NZ
from pypto.language import *


@program
class ImportAll:
    @function(type=FunctionType.InCore)
    def kern(
        self,
        act: Tensor[[16, 64], FP16],
        w: Tensor[[32, 64], FP16, NZ],
        res: Out[Tensor[[16, 32], FP32]],
    ) -> Tensor[[16, 32], FP32]:
        a = load(act, [0, 0], [16, 64], target_memory=Mem.Mat)
        b = load(w, [0, 0], [32, 64], target_memory=Mem.Mat)
        acc = matmul(a, tile.transpose_view(b))
        res = store(acc, [0, 0], res)
        return res
