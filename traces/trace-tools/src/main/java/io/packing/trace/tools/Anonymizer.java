// SPDX-License-Identifier: Apache-2.0
package io.packing.trace.tools;

import io.packing.trace.Subject;
import io.packing.trace.TraceEvent;
import io.packing.trace.TraceOrigin;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * A replacement of names by keyed hashes (HMAC-SHA256, 48 bits).
 *
 * <p>Equal names stay equal, so a reader can tell directories, files and users apart. A reader without the key cannot
 * test a guess. The hash is per component of a path. Extensions, the kept names, calls, times, sizes and error classes
 * stay. Memory grows with the number of distinct names. Confined to one thread.
 */
public final class Anonymizer {
    /** HBase's directories that show the purpose of a file. The names of column families can be added to them. */
    public static final Set<String> HBASE_NAMES =
            Set.of("hbase", "data", "WALs", "oldWALs", ".tmp", "archive", "default", "recovered.edits", "MasterData");

    /** Directories of the kernel's interfaces. They hold no files, and an analysis and a replay must recognise them. */
    private static final Set<String> KERNEL_NAMES = Set.of("proc", "sys", "dev");

    private static final Set<String> RELATIVE_NAMES = Set.of(".", "..");
    private static final int HASH_BYTES = 6;
    private static final int LONGEST_EXTENSION = 16;
    private static final Pattern EXTENSION = Pattern.compile("\\.[A-Za-z][A-Za-z0-9]*(-(wal|shm|journal))?$");

    private final Mac mac;
    private final Set<String> kept;
    private final boolean threads;
    private final Map<String, String> known = new HashMap<>();

    /**
     * @param key secret; at least 16 bytes
     * @param kept path components and contexts that stay readable
     * @param threads whether names of threads are hashed, too; an analysis can then not derive causes of I/O from them
     */
    public Anonymizer(byte[] key, Set<String> kept, boolean threads) {
        if (key.length < 16) {
            throw new IllegalArgumentException("a key of %d bytes: at least 16".formatted(key.length));
        }
        this.kept = Set.copyOf(kept);
        this.threads = threads;
        try {
            mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(key, "HmacSHA256"));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java platform has HmacSHA256", e);
        }
    }

    public TraceEvent anonymize(TraceEvent e) {
        TraceOrigin origin = new TraceOrigin(
                hashed(e.origin().host()), e.origin().pid(), e.origin().process());
        return new TraceEvent(
                origin,
                e.wallNanos(),
                e.monoNanos(),
                e.durationNanos(),
                e.lastNanos(),
                e.call(),
                e.count(),
                threads ? hashed(e.thread()) : e.thread(),
                hashed(e.user()),
                kept.contains(e.context()) ? e.context() : hashed(e.context()),
                e.fileSystem(),
                e.stream(),
                path(e, e.path()),
                path(e, e.target()),
                e.offset(),
                e.length(),
                e.result(),
                e.error(),
                e.hints(),
                e.descriptor(),
                e.fileSize());
    }

    private String path(TraceEvent event, String path) {
        boolean system =
                event.call().subject() == Subject.SYSTEM || event.call().isNote();
        int slash = path.indexOf('/', 1);
        String first = path.startsWith("/") ? path.substring(1, slash < 0 ? path.length() : slash) : "";
        if (system && KERNEL_NAMES.contains(first) && !kept.contains(first)) {
            return "/" + first + (slash < 0 ? "" : path(path.substring(slash)));
        }
        return path(path);
    }

    private String path(String path) {
        return path.isEmpty()
                ? path
                : Arrays.stream(path.split("/", -1)).map(this::component).collect(Collectors.joining("/"));
    }

    private String component(String name) {
        if (kept.contains(name) || RELATIVE_NAMES.contains(name)) {
            return name;
        }
        Matcher extension = EXTENSION.matcher(name);
        boolean has =
                extension.find() && extension.start() > 0 && name.length() - extension.start() <= LONGEST_EXTENSION;
        return has ? hashed(name.substring(0, extension.start())) + extension.group() : hashed(name);
    }

    private String hashed(String name) {
        return name.isEmpty()
                ? name
                : known.computeIfAbsent(
                        name,
                        text -> HexFormat.of()
                                .formatHex(mac.doFinal(text.getBytes(StandardCharsets.UTF_8)), 0, HASH_BYTES));
    }
}
