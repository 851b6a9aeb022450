// SPDX-License-Identifier: Apache-2.0
package io.packing.simulation.relink;

import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * The instructions of a method without the calls that a defect leaves out. Such a call answers zero, false or null, or a substitute
 * answers: it gets the receiver, the arguments, and the object whose method calls.
 */
final class PlantedCalls extends MethodVisitor {
    private static final String SUBSTITUTES = "io/packing/simulation/cluster/Substitutes";

    private final PlantedDefect defect;
    private final boolean isStatic;
    private final Runnable planted;

    PlantedCalls(MethodVisitor next, PlantedDefect defect, boolean isStatic, Runnable planted) {
        super(Opcodes.ASM9, next);
        this.defect = defect;
        this.isStatic = isStatic;
        this.planted = planted;
    }

    @Override
    public void visitMethodInsn(int opcode, String of, String method, String descriptor, boolean isInterface) {
        if (!method.equals(defect.called())) {
            super.visitMethodInsn(opcode, of, method, descriptor, isInterface);
            return;
        }
        planted.run();
        if (defect.substitute().isPresent()) {
            substitute(opcode, of, descriptor, defect.substitute().get());
        } else {
            leaveOut(opcode, descriptor);
        }
    }

    private void substitute(int opcode, String of, String descriptor, String by) {
        String arguments = descriptor.substring(1, descriptor.indexOf(')'));
        String receiver =
                opcode == Opcodes.INVOKESTATIC ? "" : Type.getObjectType(of).getDescriptor();
        if (isStatic) {
            super.visitInsn(Opcodes.ACONST_NULL);
        } else {
            super.visitVarInsn(Opcodes.ALOAD, 0);
        }
        super.visitMethodInsn(
                Opcodes.INVOKESTATIC,
                SUBSTITUTES,
                by,
                "(%s%sLjava/lang/Object;)%s".formatted(receiver, arguments, Type.getReturnType(descriptor)),
                false);
    }

    private void leaveOut(int opcode, String descriptor) {
        Type[] arguments = Type.getArgumentTypes(descriptor);
        for (int i = arguments.length - 1; i >= 0; i--) {
            super.visitInsn(arguments[i].getSize() == 2 ? Opcodes.POP2 : Opcodes.POP);
        }
        if (opcode != Opcodes.INVOKESTATIC) {
            super.visitInsn(Opcodes.POP);
        }
        switch (Type.getReturnType(descriptor).getSort()) {
            case Type.VOID -> {
                // It leaves nothing.
            }
            case Type.LONG -> super.visitInsn(Opcodes.LCONST_0);
            case Type.DOUBLE -> super.visitInsn(Opcodes.DCONST_0);
            case Type.FLOAT -> super.visitInsn(Opcodes.FCONST_0);
            case Type.ARRAY, Type.OBJECT -> super.visitInsn(Opcodes.ACONST_NULL);
            default -> super.visitInsn(Opcodes.ICONST_0);
        }
    }
}
