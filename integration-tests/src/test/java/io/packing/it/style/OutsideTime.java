// SPDX-License-Identifier: Apache-2.0
package io.packing.it.style;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * A rule that time, randomness and waits come from outside. Main code neither calls their methods nor takes them for
 * itself; its caller passes them, such as {@code System::nanoTime} in the wiring of a process. Commands may call them,
 * since they measure and wait for users, and so may classes that start or measure processes. Unique names are exempt:
 * no step depends on the value of a UUID.
 */
final class OutsideTime implements StyleRule {
    private static final Set<String> MEASURE = Set.of(
            "cli", "lab/benchmarks", "lab/chaos", "lab/experiments", "lab/processes", "lab/rig", "lab/simulation");
    /** The simulation is what such calls are replaced by, and its cluster waits in virtual time. */
    private static final Set<String> SLEEP =
            Set.of("cli", "lab/experiments", "lab/processes", "lab/rig", "lab/simulation");

    private static final Set<String> PARK = Set.of("cli", "lab/benchmarks", "lab/processes", "lab/simulation");
    /** Programs of their own, which wait for servers. */
    private static final String HBASE_TOOLS = "io/packing/hbase/tool/";
    /** The threads' loops around steps. */
    private static final Set<String> PARKING_THREADS = Set.of("WriterThread");
    /** The classes that wire processes and doors, or a common part of them. */
    private static final Set<String> WIRING = Set.of(
            "AzureStores",
            "CallRecorder",
            "GoogleStores",
            "GrpcBdts",
            "MasterConnection",
            "MasterSite",
            "ObjectStores",
            "PeerClient",
            "PosixServer",
            "ProcessTracer",
            "RegistryServer",
            "RemotePackingFileSystem",
            "RootsServerMain",
            "S3Server",
            "Scheduling",
            "SpanExports",
            "WorkerPlatform");
    /**
     * The classes that make unguessable values: the ports of processes that start at once, the salt of a password, keys
     * and their salts.
     */
    private static final Set<String> UNGUESSABLE = Set.of("Ports", "Passwords", "RandomBytes");

    /** A call, or a static import that allows one. */
    private static final String CALL =
            "\\b%1$s\\s*\\.\\s*(?:%2$s)\\s*\\(|import\\s+static\\s+[\\w.]*\\b%1$s\\.(?:%2$s|\\*)";

    private static final String REFERENCE = "\\b%1$s\\s*::\\s*(?:%2$s)\\b";

    private final List<StyleRule> rules = new ArrayList<>();

    OutsideTime() {
        never("System", "currentTimeMillis");
        never("Instant|LocalDateTime|ZonedDateTime|LocalDate", "now");
        never("Thread", "yield|onSpinWait");
        add("System", "nanoTime", MEASURE);
        add("Thread|(?:TimeUnit\\s*\\.\\s*)?[A-Z]*SECONDS", "sleep", SLEEP);
        add("LockSupport", "park\\w*", PARK);
        rules.add(StyleRules.nowhere(
                "\\bnew\\s+(?:Splittable)?Random\\(\\s*\\)",
                source -> source.main() && !source.module().equals("lab/testing"),
                "take it from outside"));
        rules.add(StyleRules.nowhere(
                "\\bThreadLocalRandom\\s*\\.\\s*current\\b|\\bnew\\s+SecureRandom\\(|\\bMath\\s*\\.\\s*random\\(",
                source -> source.main() && !isWired(source) && !UNGUESSABLE.contains(source.type()),
                "take it from outside"));
    }

    private void never(String owner, String methods) {
        add(owner, methods, Set.of());
    }

    private void add(String owner, String methods, Set<String> modules) {
        rules.add(StyleRules.nowhere(
                CALL.formatted("(?:" + owner + ")", methods),
                source -> source.main() && !modules.contains(source.module()) && !isAllowed(source, methods),
                "take it from outside"));
        rules.add(StyleRules.nowhere(
                REFERENCE.formatted("(?:" + owner + ")", methods),
                source -> source.main() && !modules.contains(source.module()) && !isWired(source),
                "take it from outside"));
    }

    private static boolean isWired(JavaSource source) {
        return MEASURE.contains(source.module()) || WIRING.contains(source.type());
    }

    private static boolean isAllowed(JavaSource source, String methods) {
        return (methods.equals("sleep") && source.path().contains(HBASE_TOOLS))
                || (methods.startsWith("park") && PARKING_THREADS.contains(source.type()));
    }

    @Override
    public List<String> breaches(JavaSource source) {
        return rules.stream().flatMap(rule -> rule.breaches(source).stream()).toList();
    }
}
