// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt;

import io.packing.encryption.WrappedKey;
import io.packing.options.Option;
import io.packing.options.Options;
import io.packing.options.Parsers;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The mount options for the blob descriptor table. */
public final class BdtOptions {
    public static final Option<Durability> DURABILITY = new Option<>(
            "packing.durability",
            "synced",
            "The failure that a closed file survives: buffered (a process crash), synced (power loss), "
                    + "uploaded (the loss of the machine).",
            Parsers.choice(Durability.class));

    public static final Option<PathPatterns> UPLOADED_PATHS = new Option<>(
            "packing.uploaded.paths",
            "",
            "Directories and files, as patterns like /warehouse or **/_delta_log, separated by commas, whose closed files "
                    + "survive the loss of the machine, as with uploaded.",
            PathPatterns::parse);

    public static final Option<HistoryWindows> HISTORY = new Option<>(
            "packing.history.paths",
            "",
            "Directories that can be restored to any second, each with how far back, like /projects=1h,/db=7d.",
            HistoryWindows::parse);

    public static final Option<Duration> HISTORY_EVERY = new Option<>(
            "packing.history.every",
            "1s",
            "Least time between two states of a directory that packing.history.paths keeps, in whole seconds.",
            HistoryWindows::every);

    public static final Option<Duration> BACKUP_INTERVAL = new Option<>(
            "packing.backup.interval",
            "10m",
            "Least time between two backups of the table to the backing store.",
            Parsers::duration);

    public static final Option<Integer> BACKUP_MIN_CHANGES = new Option<>(
            "packing.backup.min.changes",
            "500000",
            "The fewest changes since the last backup for another one; when the master stops, it makes one "
                    + "for fewer.",
            Parsers.count(1, Integer.MAX_VALUE));

    public static final Option<Duration> JOURNAL_INTERVAL = new Option<>(
            "packing.journal.interval",
            "1m",
            "Least time between two uploads of renames, deletes, mkdirs and attribute changes.",
            Parsers::duration);

    public static final Option<Duration> GC_INTERVAL = new Option<>(
            "packing.gc.interval",
            "10m",
            "The time between the BDT master's searches for blobs to delete: those whose files were all "
                    + "deleted or overwritten.",
            Parsers::duration);

    public static final Option<Duration> GC_GRACE = new Option<>(
            "packing.gc.grace",
            "1h",
            "The least time for which a blob without files is kept, for readers that still have one of them " + "open.",
            Parsers::duration);

    public static final Option<Double> GC_COMPACT_BELOW = new Option<>(
            "packing.gc.compact.below",
            "0.3",
            "Live share of a blob under which its live files are copied into a new one, so that it can be deleted; 0: never.",
            Parsers::share);

    public static final Option<CompactionOrder> GC_COMPACT_ORDER = new Option<>(
            "packing.gc.compact.order",
            "directory",
            "Order of files in a blob that a compaction makes. directory: by directory and name. lookups: first the files that "
                    + "clients opened since the master's start, in the order of the last time.",
            Parsers.choice(CompactionOrder.class));

    public static final Option<Duration> MASTER_TIMEOUT = new Option<>(
            "packing.master.timeout",
            "60s",
            "The time for which an operation retries an unreachable BDT master before it fails.",
            Parsers::duration);

    public static final Option<Boolean> SEND_CREDENTIALS = new Option<>(
            "packing.s3.credentials.send",
            "true",
            "Whether this process sends the keys of the store to the BDT master; false: the master has its "
                    + "own (bdt.s3.credentials.file, or AWS's default chain).",
            Parsers::flag);

    public static final Option<String> ENCRYPTION_KEY = new Option<>(
            "packing.encryption.key",
            "",
            "Name of the key that encrypts all new objects; the master needs it, too, in "
                    + "bdt.encryption.keystore. Empty: no encryption.",
            BdtOptions::keyName);

    public static final Option<DedupMode> DEDUP = new Option<>(
            "packing.dedup",
            "none",
            "file: a file of at most 4MB, and packing.spill.bytes, whose bytes the mount has already shares them, and is "
                    + "neither buffered nor pushed; none: every file has its own. Not with packing.durability=uploaded.",
            Parsers.choice(DedupMode.class));

    /** The options that name files of this process, and its way to the store. */
    private static final List<String> OWN = List.of(
            "packing.s3.credentials.file",
            "packing.s3.proxy",
            "packing.s3.ca.file",
            "packing.encryption.keystore",
            "packing.encryption.password.file");
    /** The options with the store's keys. */
    private static final List<String> KEYS = List.of("packing.s3.access.key", "packing.s3.secret.key");

    /** All options, in the order of the reference table. */
    public static final List<Option<?>> OPTIONS = List.of(
            DURABILITY,
            UPLOADED_PATHS,
            HISTORY,
            HISTORY_EVERY,
            BACKUP_INTERVAL,
            BACKUP_MIN_CHANGES,
            JOURNAL_INTERVAL,
            GC_INTERVAL,
            GC_GRACE,
            GC_COMPACT_BELOW,
            GC_COMPACT_ORDER,
            MASTER_TIMEOUT,
            ENCRYPTION_KEY,
            SEND_CREDENTIALS);

    private BdtOptions() {}

    private static String keyName(String text) {
        if (!text.isEmpty() && (!WrappedKey.isName(text) || text.indexOf('@') >= 0)) {
            throw new IllegalArgumentException("expected the name of a key, without a version");
        }
        return text;
    }

    /** Returns options that another process sent without those that only this process may have for itself. */
    public static Map<String, String> received(Map<String, String> raw) {
        Map<String, String> received = new HashMap<>(raw);
        OWN.forEach(received::remove);
        return received;
    }

    /**
     * Returns the options of a mount for a remote master, without files of this process, and with keys only if the
     * options allow it.
     */
    public static Map<String, String> sent(Map<String, String> raw) {
        Map<String, String> sent = received(raw);
        Options send = Options.check(raw, SEND_CREDENTIALS.key(), List.of(SEND_CREDENTIALS));
        if (!send.get(SEND_CREDENTIALS)) {
            KEYS.forEach(sent::remove);
        }
        return sent;
    }
}
