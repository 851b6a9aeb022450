// SPDX-License-Identifier: Apache-2.0
package io.packing.simulation.relink;

import io.packing.simulation.schedule.FaultSites;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.FieldVisitor;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.commons.ClassRemapper;

/**
 * A translation of a class file, which changes its links only. Monitors become calls of the simulation, as do threads, waits,
 * clocks and random numbers. A call of {@link io.packing.simulation.schedule.SimulatedJdk#point} stands before each synchronization.
 */
final class Relinker extends ClassVisitor {
    private final boolean copied;
    private final Set<String> volatiles;
    private final Optional<PlantedDefect> defect;
    private final FaultSites sites;
    private String name = "";
    private int version;
    private int planted;
    private int recorded;

    private Relinker(
            ClassVisitor next,
            boolean copied,
            Set<String> volatiles,
            Optional<PlantedDefect> defect,
            FaultSites sites) {
        super(Opcodes.ASM9, next);
        this.copied = copied;
        this.volatiles = volatiles;
        this.defect = defect;
        this.sites = sites;
    }

    /**
     * @param copied true for a class of the JDK: its own volatile fields are no points
     * @param defect that this class gets
     * @param sites to which those of this class are added
     */
    static byte[] relink(byte[] original, boolean copied, Optional<PlantedDefect> defect, FaultSites sites) {
        ClassReader reader = new ClassReader(original);
        Set<String> volatiles = copied ? Set.of() : volatiles(reader);
        ClassWriter writer = new ClassWriter(ClassWriter.COMPUTE_MAXS);
        ClassVisitor named = new ClassRemapper(writer, new Names());
        Relinker relinker = new Relinker(named, copied, volatiles, defect, sites);
        reader.accept(relinker, ClassReader.EXPAND_FRAMES);
        if (defect.isPresent() && relinker.planted == 0) {
            throw new IllegalStateException("%s has no call of %s any more"
                    .formatted(defect.get().className(), defect.get().called()));
        }
        int methods = RecordedBody.methods(relinker.name).size();
        if (relinker.recorded != methods) {
            throw new IllegalStateException("%s has %d of the %d methods that are recorded"
                    .formatted(relinker.name, relinker.recorded, methods));
        }
        return writer.toByteArray();
    }

    private static Set<String> volatiles(ClassReader reader) {
        Set<String> found = new HashSet<>();
        ClassVisitor fields = new ClassVisitor(Opcodes.ASM9) {
            @Override
            public @Nullable FieldVisitor visitField(
                    int access, String field, String descriptor, @Nullable String signature, @Nullable Object value) {
                if ((access & Opcodes.ACC_VOLATILE) != 0) {
                    found.add(field);
                }
                return null;
            }
        };
        reader.accept(fields, ClassReader.SKIP_CODE | ClassReader.SKIP_DEBUG);
        return found;
    }

    @Override
    public void visit(
            int classVersion,
            int access,
            String className,
            @Nullable String signature,
            @Nullable String superName,
            String @Nullable [] interfaces) {
        name = className;
        version = classVersion;
        super.visit(classVersion, access, className, signature, superName, interfaces);
    }

    @Override
    public @Nullable MethodVisitor visitMethod(
            int access, String method, String descriptor, @Nullable String signature, String @Nullable [] exceptions) {
        if (copied && method.equals("finalize") && descriptor.equals("()V")) {
            // The collector's thread has no turns.
            return null;
        }
        boolean bodied = (access & (Opcodes.ACC_ABSTRACT | Opcodes.ACC_NATIVE)) == 0;
        boolean isSynchronized = bodied && (access & Opcodes.ACC_SYNCHRONIZED) != 0;
        boolean locked = isSynchronized && !RelinkedCalls.isAtomic(name);
        MethodVisitor next = super.visitMethod(
                isSynchronized ? access & ~Opcodes.ACC_SYNCHRONIZED : access,
                method,
                descriptor,
                signature,
                exceptions);
        if (!bodied) {
            return next;
        }
        boolean isStatic = (access & Opcodes.ACC_STATIC) != 0;
        MethodVisitor calls = new RelinkedCalls(next, name, copied, volatiles, sites);
        MethodVisitor body = calls;
        if (locked) {
            body = new WrappedBody(calls, WrappedBody.Kind.MONITOR, isStatic, name, version);
        } else if (method.equals("<clinit>")) {
            body = new WrappedBody(calls, WrappedBody.Kind.INITIALIZER, true, name, version);
        }
        if (RecordedBody.methods(name).contains(method)) {
            recorded++;
            body = new RecordedBody(body, method, descriptor);
        }
        MethodVisitor sound = body;
        return defect.filter(planting -> planting.isIn(method))
                .<MethodVisitor>map(planting -> new PlantedCalls(sound, planting, isStatic, () -> planted++))
                .orElse(sound);
    }
}
