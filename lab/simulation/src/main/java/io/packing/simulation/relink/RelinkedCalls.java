// SPDX-License-Identifier: Apache-2.0
package io.packing.simulation.relink;

import io.packing.simulation.schedule.FaultSites;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.objectweb.asm.Handle;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** The instructions of a method, with calls of the simulation in place of those that wait, tell the time, or draw random numbers. */
final class RelinkedCalls extends MethodVisitor {
    private static final String SCHEDULE = "io/packing/simulation/schedule/";
    /** The classes of which simulated code makes objects, by the class that it names. Maps and sets get an order that no address determines. */
    private static final Map<String, String> MADE = Map.of(
            "java/lang/Thread", SCHEDULE + "SimulatedThread",
            "java/lang/ThreadLocal", SCHEDULE + "SimulatedThreadLocal",
            "java/lang/ref/WeakReference", SCHEDULE + "SimulatedWeakReference",
            "java/security/SecureRandom", SCHEDULE + "SimulatedSecureRandom",
            "java/lang/IllegalMonitorStateException", SCHEDULE + "SimulatedMonitorException",
            "java/util/HashMap", "java/util/LinkedHashMap",
            "java/util/HashSet", "java/util/LinkedHashSet");

    private final String owner;
    private final boolean copied;
    private final Set<String> volatiles;
    private final FaultSites sites;
    private int line;
    /** New objects whose constructors were not called yet, by their class. */
    private final Map<String, Integer> begun = new HashMap<>();

    RelinkedCalls(MethodVisitor next, String owner, boolean copied, Set<String> volatiles, FaultSites sites) {
        super(Opcodes.ASM9, next);
        this.owner = owner;
        this.copied = copied;
        this.volatiles = volatiles;
        this.sites = sites;
    }

    /**
     * Returns true for a class of the simulated disks. Its monitors are left out: it has no point within them, so that each of its calls is
     * done in one turn.
     */
    static boolean isAtomic(String type) {
        return type.startsWith("io/packing/power/");
    }

    private void call(String method, String descriptor) {
        super.visitMethodInsn(Opcodes.INVOKESTATIC, Replaced.by(), method, descriptor, false);
    }

    @Override
    public void visitInsn(int opcode) {
        if (isAtomic(owner) && (opcode == Opcodes.MONITORENTER || opcode == Opcodes.MONITOREXIT)) {
            super.visitInsn(Opcodes.POP);
        } else if (opcode == Opcodes.MONITORENTER) {
            call(copied ? "enterQuietly" : "enter", "(Ljava/lang/Object;)V");
        } else if (opcode == Opcodes.MONITOREXIT) {
            call("exit", "(Ljava/lang/Object;)V");
        } else {
            super.visitInsn(opcode);
        }
    }

    @Override
    public void visitFieldInsn(int opcode, String of, String field, String descriptor) {
        if (of.equals(owner) && volatiles.contains(field)) {
            call("point", "()V");
        }
        super.visitFieldInsn(opcode, of, field, descriptor);
    }

    @Override
    public void visitTypeInsn(int opcode, String type) {
        if (opcode == Opcodes.NEW && MADE.containsKey(type)) {
            int unused = begun.merge(type, 1, Integer::sum);
        }
        super.visitTypeInsn(opcode, opcode == Opcodes.NEW ? made(type) : type);
    }

    /** Returns the class of which an object is made where one of a class is asked for. */
    private static String made(String type) {
        return MADE.getOrDefault(type, type);
    }

    /** Returns the class whose constructor is called: another one for a new object, but not in a constructor of a subclass. */
    private String constructed(String type) {
        if (begun.getOrDefault(type, 0) == 0) {
            return type;
        }
        int unused = begun.merge(type, -1, Integer::sum);
        return made(type);
    }

    @Override
    public void visitLineNumber(int number, Label start) {
        line = number;
        super.visitLineNumber(number, start);
    }

    private void site(FaultSites.Kind kind, String of, String method) {
        int number = sites.add(
                kind,
                "%s:%d".formatted(owner.replace('/', '.'), line),
                "%s.%s".formatted(of.substring(of.lastIndexOf('/') + 1), method));
        super.visitLdcInsn(number);
        call("site", "(I)V");
    }

    @Override
    public void visitMethodInsn(int opcode, String of, String method, String descriptor, boolean isInterface) {
        PortCalls.kind(owner, of, method).ifPresent(kind -> site(kind, of, method));
        if (opcode == Opcodes.INVOKESTATIC) {
            String by = Replaced.ofStatic(of, method, descriptor);
            if (!by.isEmpty()) {
                call(by, descriptor);
                return;
            }
            String ordered = Replaced.ordered(of, method, descriptor);
            if (!ordered.isEmpty()) {
                super.visitMethodInsn(opcode, Replaced.ORDERED, ordered, descriptor, false);
                return;
            }
        } else if (opcode != Opcodes.INVOKESPECIAL) {
            String by = Replaced.ofInstance(of, method, descriptor);
            if (!by.isEmpty()) {
                call(by, Replaced.withReceiver(by, descriptor));
                return;
            }
        } else if (method.equals("<init>")) {
            super.visitMethodInsn(opcode, constructed(of), method, descriptor, isInterface);
            return;
        }
        if (!copied && of.startsWith("java/util/concurrent/") && opcode != Opcodes.INVOKESPECIAL) {
            call("point", "()V");
        }
        super.visitMethodInsn(opcode, of, method, descriptor, isInterface);
    }

    @Override
    public void visitInvokeDynamicInsn(String name, String descriptor, Handle bootstrap, Object... arguments) {
        Object[] relinked = arguments.clone();
        for (int i = 0; i < relinked.length; i++) {
            if (relinked[i] instanceof Handle handle) {
                relinked[i] = relinked(handle);
            }
        }
        super.visitInvokeDynamicInsn(name, descriptor, bootstrap, relinked);
    }

    private static Handle relinked(Handle handle) {
        String of = handle.getOwner();
        String method = handle.getName();
        String descriptor = handle.getDesc();
        if (handle.getTag() == Opcodes.H_INVOKESTATIC) {
            String ordered = Replaced.ordered(of, method, descriptor);
            if (!ordered.isEmpty()) {
                return new Handle(Opcodes.H_INVOKESTATIC, Replaced.ORDERED, ordered, descriptor, false);
            }
            String by = Replaced.ofStatic(of, method, descriptor);
            return by.isEmpty() ? handle : new Handle(Opcodes.H_INVOKESTATIC, Replaced.by(), by, descriptor, false);
        }
        if (handle.getTag() == Opcodes.H_NEWINVOKESPECIAL) {
            return new Handle(Opcodes.H_NEWINVOKESPECIAL, made(of), method, descriptor, false);
        }
        String by = handle.getTag() == Opcodes.H_INVOKEVIRTUAL || handle.getTag() == Opcodes.H_INVOKEINTERFACE
                ? Replaced.ofInstance(of, method, descriptor)
                : "";
        return by.isEmpty()
                ? handle
                : new Handle(Opcodes.H_INVOKESTATIC, Replaced.by(), by, Replaced.withReceiver(by, descriptor), false);
    }
}
