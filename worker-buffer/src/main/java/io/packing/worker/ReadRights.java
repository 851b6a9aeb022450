package io.packing.worker;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.packing.blob.FilePath;
import io.packing.blob.FileVersion;
import java.io.IOException;
import java.time.Duration;

/** Who may read which of the files that this process buffers, as the master says: asked once for many reads of a file. Thread-safe. */
final class ReadRights {
    /** A right that was taken away ends here no later. */
    static final Duration KEEP = Duration.ofSeconds(5);

    private static final int MOST = 10_000;

    /** Asks the master, which throws when the user may not. */
    interface Question {
        boolean mayRead(FilePath path, FileVersion version, String user) throws IOException;
    }

    private record Granted(String user, FilePath path, FileVersion version) {}

    private final Question master;
    private final Cache<Granted, Boolean> granted = Caffeine.newBuilder()
            .maximumSize(MOST)
            .expireAfterWrite(KEEP)
            .executor(Runnable::run)
            .build();

    ReadRights(Question master) {
        this.master = master;
    }

    boolean mayRead(FilePath path, FileVersion version, String user) throws IOException {
        Granted right = new Granted(user, path, version);
        if (granted.getIfPresent(right) != null) {
            return true;
        }
        boolean found = master.mayRead(path, version, user);
        if (found) {
            granted.put(right, true);
        }
        return found;
    }
}
