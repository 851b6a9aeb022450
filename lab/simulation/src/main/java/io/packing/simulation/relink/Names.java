// SPDX-License-Identifier: Apache-2.0
package io.packing.simulation.relink;

import java.util.Map;
import java.util.Set;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.commons.Remapper;

/** The names of classes in simulated code: copies of the JDK's classes that block, and replacements. */
final class Names extends Remapper {
    /** The beginning of the names of copies. */
    static final String COPIES = "simulated.";

    private static final String CONCURRENT = "java/util/concurrent/";
    private static final String SCHEDULE = "io/packing/simulation/schedule/";
    /** The classes that block, or name one that does. */
    private static final Set<String> COPIED = Set.of(
            "AbstractExecutorService",
            "ArrayBlockingQueue",
            "CompletableFuture",
            "CompletionStage",
            "ConcurrentHashMap",
            "CountDownLatch",
            "CyclicBarrier",
            "DelayQueue",
            "ExecutorCompletionService",
            "Executors",
            "FutureTask",
            "Helpers",
            "LinkedBlockingDeque",
            "LinkedBlockingQueue",
            "PriorityBlockingQueue",
            "RejectedExecutionHandler",
            "ScheduledThreadPoolExecutor",
            "Semaphore",
            "SynchronousQueue",
            "ThreadPoolExecutor",
            "locks/AbstractOwnableSynchronizer",
            "locks/AbstractQueuedLongSynchronizer",
            "locks/AbstractQueuedSynchronizer",
            "locks/ReentrantLock",
            "locks/ReentrantReadWriteLock");

    private static final Map<String, String> REPLACED = Map.of(
            CONCURRENT + "locks/LockSupport", SCHEDULE + "SimulatedLockSupport",
            CONCURRENT + "ThreadLocalRandom", SCHEDULE + "SimulatedThreadLocalRandom");

    Names() {
        super(Opcodes.ASM9);
    }

    @Override
    public String map(String name) {
        String replaced = REPLACED.get(name);
        if (replaced != null) {
            return replaced;
        }
        if (name.startsWith(CONCURRENT)) {
            int inner = name.indexOf('$');
            String outer = name.substring(CONCURRENT.length(), inner < 0 ? name.length() : inner);
            if (COPIED.contains(outer)) {
                return COPIES.replace('.', '/') + name.substring("java/".length());
            }
        }
        return name;
    }

    /** Returns the name of the JDK's class of which one is a copy. */
    static String original(String copy) {
        return "java." + copy.substring(COPIES.length());
    }
}
