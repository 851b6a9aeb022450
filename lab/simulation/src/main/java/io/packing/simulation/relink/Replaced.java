// SPDX-License-Identifier: Apache-2.0
package io.packing.simulation.relink;

import java.util.Map;
import org.objectweb.asm.Type;

/**
 * The calls of the JDK, and of what the operating system tells, that simulated code makes to the simulation instead.
 *
 * @param owner the class that has the method
 * @param name its static method, which takes the receiver of an instance method first
 */
record Replaced(String owner, String name) {
    private static final String BY = "io/packing/simulation/schedule/SimulatedJdk";

    /** The class of immutable collections in the order of their elements. */
    static final String ORDERED = "io/packing/simulation/schedule/OrderedCollections";

    /** The most elements of a set, and entries of a map, that the ordered forms take as arguments. */
    private static final int MOST_ELEMENTS = 5;

    private static final int MOST_ENTRIES = 4;

    private static final Map<String, String> STATIC = Map.ofEntries(
            Map.entry("java/lang/System.nanoTime()J", "nanoTime"),
            Map.entry("java/lang/System.currentTimeMillis()J", "currentTimeMillis"),
            Map.entry("java/lang/Thread.currentThread()Ljava/lang/Thread;", "currentThread"),
            Map.entry(
                    "java/lang/ThreadLocal.withInitial(Ljava/util/function/Supplier;)Ljava/lang/ThreadLocal;",
                    "threadLocal"),
            Map.entry("java/nio/ByteBuffer.allocateDirect(I)Ljava/nio/ByteBuffer;", "allocateDirect"),
            Map.entry("java/lang/Thread.sleep(J)V", "sleep"),
            Map.entry("java/lang/Thread.sleep(JI)V", "sleep"),
            Map.entry("java/lang/Thread.yield()V", "yieldThread"),
            Map.entry("java/lang/Thread.onSpinWait()V", "yieldThread"),
            Map.entry("java/lang/Thread.interrupted()Z", "interrupted"),
            Map.entry("java/time/Instant.now()Ljava/time/Instant;", "now"),
            Map.entry("java/time/Clock.systemUTC()Ljava/time/Clock;", "systemUtc"),
            Map.entry("java/lang/System.getProperties()Ljava/util/Properties;", "systemProperties"),
            Map.entry("io/packing/sorted/Boot.id()Ljava/lang/String;", "bootId"),
            Map.entry("java/util/UUID.randomUUID()Ljava/util/UUID;", "randomUuid"),
            Map.entry(
                    "java/util/concurrent/ForkJoinPool.commonPool()Ljava/util/concurrent/ForkJoinPool;", "commonPool"),
            Map.entry("java/util/concurrent/ForkJoinPool.getCommonPoolParallelism()I", "commonPoolParallelism"));

    private static final Map<String, String> VIRTUAL = Map.ofEntries(
            Map.entry("wait()V", "await"),
            Map.entry("wait(J)V", "await"),
            Map.entry("wait(JI)V", "await"),
            Map.entry("notify()V", "signal"),
            Map.entry("notifyAll()V", "signalAll"),
            Map.entry("java/lang/Thread.join()V", "join"),
            Map.entry("java/lang/Thread.join(J)V", "join"),
            Map.entry("java/lang/Thread.join(JI)V", "join"),
            Map.entry("java/lang/Thread.isAlive()Z", "isAlive"),
            Map.entry("java/lang/Runtime.availableProcessors()I", "availableProcessors"),
            Map.entry("java/util/concurrent/TimeUnit.sleep(J)V", "sleep"));

    private static final Map<String, String> RECEIVERS = Map.of(
            "await", "java/lang/Object",
            "signal", "java/lang/Object",
            "signalAll", "java/lang/Object",
            "join", "java/lang/Thread",
            "isAlive", "java/lang/Thread",
            "availableProcessors", "java/lang/Runtime",
            "sleep", "java/util/concurrent/TimeUnit");

    /** Returns the ordered form of a method that makes an immutable set or map; empty without one. */
    static String ordered(String owner, String name, String descriptor) {
        boolean set = owner.equals("java/util/Set");
        if (!set && !owner.equals("java/util/Map")) {
            return "";
        }
        int arguments = Type.getArgumentTypes(descriptor).length;
        return switch (name) {
            case "copyOf" -> set ? "setCopyOf" : "mapCopyOf";
            case "ofEntries" -> "mapOf";
            case "of" ->
                set
                        ? descriptor.startsWith("([") || (arguments > 1 && arguments <= MOST_ELEMENTS) ? "setOf" : ""
                        : arguments > 2 && arguments <= 2 * MOST_ENTRIES ? "mapOf" : "";
            default -> "";
        };
    }

    /** Returns the replacement of a static method; empty without one. */
    static String ofStatic(String owner, String name, String descriptor) {
        return STATIC.getOrDefault(owner + "." + name + descriptor, "");
    }

    /** Returns the replacement of an instance method; empty without one. */
    static String ofInstance(String owner, String name, String descriptor) {
        String own = VIRTUAL.get(name + descriptor);
        return own != null ? own : VIRTUAL.getOrDefault(owner + "." + name + descriptor, "");
    }

    /** Returns the descriptor of the replacement of an instance method. */
    static String withReceiver(String replacement, String descriptor) {
        return "(L" + RECEIVERS.get(replacement) + ";" + descriptor.substring(1);
    }

    static String by() {
        return BY;
    }
}
