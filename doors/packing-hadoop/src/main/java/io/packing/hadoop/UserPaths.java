// SPDX-License-Identifier: Apache-2.0
package io.packing.hadoop;

import io.packing.blob.FilePath;
import java.io.IOException;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.apache.hadoop.fs.InvalidPathException;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.security.AccessControlException;

/** Translates users' paths into paths of a mount. Paths of the system are refused. */
final class UserPaths {
    private final UnaryOperator<Path> qualify;

    /** @param qualify makes a path absolute */
    UserPaths(UnaryOperator<Path> qualify) {
        this.qualify = qualify;
    }

    FilePath inMount(Path path) throws IOException {
        FilePath found;
        try {
            found = FilePath.normalise(qualify.apply(path).toUri().getPath());
        } catch (IllegalArgumentException e) {
            throw new InvalidPathException(path.toString(), e.getMessage());
        }
        return check(found);
    }

    /** Returns the place of a path for a change: not in a snapshot. */
    FilePath toChange(Path path) throws IOException {
        FilePath found = inMount(path);
        if (found.isPast()) {
            // As HDFS, whose exception is of this kind.
            throw new AccessControlException(path + ": a snapshot is never changed");
        }
        return found;
    }

    /** Refuses a path that no user has. */
    static FilePath check(FilePath path) throws AccessControlException {
        Optional<String> why = path.whyNotForUsers();
        if (why.isPresent()) {
            throw new AccessControlException(why.get());
        }
        return path;
    }
}
