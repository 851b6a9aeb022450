// SPDX-License-Identifier: Apache-2.0
package io.packing.simulation.relink;

import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/** A method with a call of the simulation at its beginning, and one at each of its ends: those of a synchronized method, for example. */
final class WrappedBody extends MethodVisitor {
    /** The calls around a body. */
    enum Kind {
        MONITOR("enter", "exit"),
        INITIALIZER("beginInitializer", "endInitializer");

        private final String begin;
        private final String end;

        Kind(String begin, String end) {
            this.begin = begin;
            this.end = end;
        }
    }

    private final Kind kind;
    private final boolean isStatic;
    private final String owner;
    private final int version;
    private final Label from = new Label();

    /** @param version of the class file; files before version 49 cannot name a class as a constant */
    WrappedBody(MethodVisitor next, Kind kind, boolean isStatic, String owner, int version) {
        super(Opcodes.ASM9, next);
        this.kind = kind;
        this.isStatic = isStatic;
        this.owner = owner;
        this.version = version;
    }

    private void call(String method) {
        if (kind == Kind.MONITOR) {
            if (!isStatic) {
                super.visitVarInsn(Opcodes.ALOAD, 0);
            } else if ((version & 0xffff) >= Opcodes.V1_5) {
                super.visitLdcInsn(Type.getObjectType(owner));
            } else {
                throw new IllegalStateException(owner + " has a class file of version " + version);
            }
        }
        super.visitMethodInsn(
                Opcodes.INVOKESTATIC,
                Replaced.by(),
                method,
                kind == Kind.MONITOR ? "(Ljava/lang/Object;)V" : "()V",
                false);
    }

    @Override
    public void visitCode() {
        super.visitCode();
        call(kind.begin);
        super.visitLabel(from);
    }

    @Override
    public void visitInsn(int opcode) {
        if (opcode >= Opcodes.IRETURN && opcode <= Opcodes.RETURN) {
            call(kind.end);
        }
        super.visitInsn(opcode);
    }

    @Override
    public void visitMaxs(int stack, int locals) {
        Label handler = new Label();
        super.visitTryCatchBlock(from, handler, handler, null);
        super.visitLabel(handler);
        super.visitFrame(
                Opcodes.F_NEW, isStatic ? 0 : 1, isStatic ? new Object[0] : new Object[] {owner}, 1, new Object[] {
                    "java/lang/Throwable"
                });
        call(kind.end);
        super.visitInsn(Opcodes.ATHROW);
        super.visitMaxs(stack, locals);
    }
}
