// SPDX-License-Identifier: Apache-2.0
package io.packing.simulation.relink;

import java.util.Map;
import java.util.Set;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/** An instance method of production that records its call first: the steps of a worker's own cross no port of the simulation. */
final class RecordedBody extends MethodVisitor {
    /** The methods that are recorded, by their classes. */
    private static final Map<String, Set<String>> METHODS = Map.of(
            "io/packing/worker/buffer/BufferState", Set.of("granted", "forget", "delete"),
            "io/packing/worker/pack/MasterSession", Set.of("add"));

    private static final String RECORDS = "io/packing/simulation/cluster/BufferSteps";

    private final String method;
    private final String descriptor;

    RecordedBody(MethodVisitor next, String method, String descriptor) {
        super(Opcodes.ASM9, next);
        this.method = method;
        this.descriptor = descriptor;
    }

    /** Returns the methods of a class that are recorded. */
    static Set<String> methods(String of) {
        return METHODS.getOrDefault(of, Set.of());
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
