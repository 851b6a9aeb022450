// SPDX-License-Identifier: Apache-2.0
package io.packing.simulation.relink;

import java.util.Set;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/** An instance method of production that records its call first: the steps of a worker's buffer cross no port of the simulation. */
final class RecordedBody extends MethodVisitor {
    /** The class whose calls are recorded. */
    static final String OF = "io/packing/worker/buffer/BufferState";

    /** Its methods that are recorded. */
    static final Set<String> METHODS = Set.of("granted", "forget", "delete");

    private static final String RECORDS = "io/packing/simulation/cluster/BufferSteps";

    private final String method;
    private final String descriptor;

    RecordedBody(MethodVisitor next, String method, String descriptor) {
        super(Opcodes.ASM9, next);
        this.method = method;
        this.descriptor = descriptor;
    }

    @Override
    public void visitCode() {
        super.visitCode();
        int place = 1;
        for (Type argument : Type.getArgumentTypes(descriptor)) {
            super.visitVarInsn(argument.getOpcode(Opcodes.ILOAD), place);
            place += argument.getSize();
        }
        super.visitMethodInsn(
                Opcodes.INVOKESTATIC,
                RECORDS,
                method,
                Type.getMethodDescriptor(Type.VOID_TYPE, Type.getArgumentTypes(descriptor)),
                false);
    }
}
