// SPDX-License-Identifier: Apache-2.0
package io.packing.trace.hadoop;

import io.packing.trace.Call;
import io.packing.trace.TraceEvent;
import java.io.IOException;
import java.util.EnumSet;
import java.util.Set;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.fs.permission.FsAction;
import org.jspecify.annotations.Nullable;

/** The calls on a file system that correspond to traced events. */
final class HadoopCalls {
    private static final Set<Call> OF_ONE_FILE = EnumSet.of(
            Call.OPEN,
            Call.OPEN_FILE,
            Call.OPEN_PATH_HANDLE,
            Call.APPEND,
            Call.APPEND_FILE,
            Call.TRUNCATE,
            Call.GET_FILE_STATUS,
            Call.GET_FILE_LINK_STATUS,
            Call.GET_FILE_BLOCK_LOCATIONS,
            Call.GET_FILE_CHECKSUM,
            Call.GET_CONTENT_SUMMARY,
            Call.SET_TIMES,
            Call.SET_PERMISSION,
            Call.SET_OWNER,
            Call.SET_REPLICATION,
            Call.ACCESS);

    /** The calls that depend on more than the file that they name, or change more. */
    private static final Set<Call> ALONE = EnumSet.of(
            Call.RENAME,
            Call.DELETE,
            Call.MKDIRS,
            Call.LIST_STATUS,
            Call.LIST_STATUS_BATCH,
            Call.LIST_STATUS_ITERATOR,
            Call.LIST_LOCATED_STATUS,
            Call.LIST_FILES,
            Call.GLOB_STATUS,
            Call.GET_CONTENT_SUMMARY);

    private static final EnumSet<Call> REPLAYED = EnumSet.of(
            Call.RENAME,
            Call.DELETE,
            Call.MKDIRS,
            Call.LIST_STATUS,
            Call.LIST_STATUS_ITERATOR,
            Call.LIST_LOCATED_STATUS,
            Call.LIST_FILES,
            Call.GLOB_STATUS,
            Call.GET_FILE_STATUS,
            Call.EXISTS,
            Call.IS_FILE,
            Call.IS_DIRECTORY,
            Call.GET_FILE_BLOCK_LOCATIONS,
            Call.GET_FILE_CHECKSUM,
            Call.GET_CONTENT_SUMMARY,
            Call.GET_STATUS,
            Call.GET_SERVER_DEFAULTS,
            Call.SET_TIMES,
            Call.ACCESS,
            Call.MSYNC);

    private static final long NONE = TraceEvent.NONE;

    private HadoopCalls() {}

    static boolean needsFile(Call call) {
        return OF_ONE_FILE.contains(call);
    }

    static boolean standsAlone(Call call) {
        return ALONE.contains(call);
    }

    static boolean isReplayed(Call call) {
        return REPLAYED.contains(call);
    }

    /**
     * Returns whether an event is a page or the walk of a listing. The call that made the listing walks it whole, so
     * that a replay skips such events.
     */
    static boolean isOfListing(TraceEvent event) {
        return switch (event.call()) {
            case LIST_STATUS_ITERATOR, LIST_LOCATED_STATUS, LIST_FILES -> event.offset() != TraceEvent.NONE;
            case LIST_STATUS_BATCH -> event.hints().equals("op=page");
            default -> false;
        };
    }

    /** Makes the call and returns the result that a trace would have. */
    static long make(FileSystem fs, TraceEvent event, Path path, Path target) throws IOException {
        return switch (event.call()) {
            case RENAME -> truth(fs.rename(path, target));
            case DELETE -> truth(fs.delete(path, true));
            case MKDIRS -> truth(fs.mkdirs(path));
            case EXISTS -> truth(fs.exists(path));
            case IS_FILE, IS_DIRECTORY -> truth(isKind(fs, event.call(), path));
            case LIST_STATUS -> fs.listStatus(path).length;
            case LIST_STATUS_ITERATOR -> drain(fs.listStatusIterator(path));
            case LIST_LOCATED_STATUS -> drain(fs.listLocatedStatus(path));
            case LIST_FILES -> drain(fs.listFiles(path, true));
            case GLOB_STATUS -> count(fs.globStatus(path));
            case GET_FILE_BLOCK_LOCATIONS ->
                fs.getFileBlockLocations(path, Math.max(0, event.offset()), Math.max(1, event.length())).length;
            default -> look(fs, event.call(), path);
        };
    }

    private static long look(FileSystem fs, Call call, Path path) throws IOException {
        switch (call) {
            case GET_FILE_STATUS -> fs.getFileStatus(path);
            case GET_FILE_CHECKSUM -> fs.getFileChecksum(path);
            case GET_CONTENT_SUMMARY -> fs.getContentSummary(path);
            case GET_STATUS -> fs.getStatus();
            case GET_SERVER_DEFAULTS -> fs.getServerDefaults(path);
            case SET_TIMES -> fs.setTimes(path, 0, 0);
            case ACCESS -> fs.access(path, FsAction.READ);
            case MSYNC -> fs.msync();
            default -> throw new IllegalArgumentException(call + " is not replayed");
        }
        return NONE;
    }

    private static boolean isKind(FileSystem fs, Call call, Path path) throws IOException {
        if (!fs.exists(path)) {
            return false;
        }
        FileStatus status = fs.getFileStatus(path);
        return call == Call.IS_FILE ? status.isFile() : status.isDirectory();
    }

    private static long drain(RemoteIterator<?> entries) throws IOException {
        while (entries.hasNext()) {
            entries.next();
        }
        return NONE;
    }

    private static long count(FileStatus @Nullable [] found) {
        return found == null ? NONE : found.length;
    }

    private static long truth(boolean value) {
        return value ? 1 : 0;
    }
}
