// SPDX-License-Identifier: Apache-2.0
package org.apache.hadoop.hdfs;

import io.packing.htfs.CallRecorder;
import io.packing.htfs.On;
import io.packing.trace.Call;
import java.io.IOException;
import java.net.URI;
import java.util.EnumSet;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.BatchedRemoteIterator.BatchedEntries;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.hdfs.protocol.BatchedDirectoryListing;
import org.apache.hadoop.hdfs.protocol.CacheDirectiveEntry;
import org.apache.hadoop.hdfs.protocol.CacheDirectiveInfo;
import org.apache.hadoop.hdfs.protocol.CacheDirectiveIterator;
import org.apache.hadoop.hdfs.protocol.CachePoolEntry;
import org.apache.hadoop.hdfs.protocol.CachePoolIterator;
import org.apache.hadoop.hdfs.protocol.CorruptFileBlocks;
import org.apache.hadoop.hdfs.protocol.DirectoryListing;
import org.apache.hadoop.hdfs.protocol.EncryptionZone;
import org.apache.hadoop.hdfs.protocol.EncryptionZoneIterator;
import org.apache.hadoop.hdfs.protocol.OpenFileEntry;
import org.apache.hadoop.hdfs.protocol.OpenFilesIterator;
import org.apache.hadoop.hdfs.protocol.OpenFilesIterator.OpenFilesType;
import org.apache.hadoop.hdfs.protocol.ReencryptionStatusIterator;
import org.apache.hadoop.hdfs.protocol.SnapshotDiffReportListing;
import org.apache.hadoop.hdfs.protocol.ZoneReencryptionStatus;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;

/**
 * A client whose listings are traced. A listing of HDFS fetches pages while the application walks it; each such page is
 * an event. Pages fetched inside a call are part of it.
 */
@NullMarked
abstract class TracedListings extends DFSClient {
    private static final String PAGE = "op=page";

    final CallRecorder calls;

    TracedListings(URI name, Configuration conf, FileSystem.Statistics statistics, CallRecorder calls)
            throws IOException {
        super(name, conf, statistics);
        this.calls = calls;
    }

    private static On page(@Nullable String path) {
        return On.path(path == null || !path.startsWith(Path.SEPARATOR) ? null : new Path(path))
                .with(PAGE);
    }

    private <T> BatchedEntries<T> page(Call call, String of, CallRecorder.Body<BatchedEntries<T>> request)
            throws IOException {
        return calls.call(call, On.hints("op=" + of + " " + PAGE), request, BatchedEntries::size);
    }

    @Override
    public DirectoryListing listPaths(String src, byte[] startAfter, boolean needLocation) throws IOException {
        return calls.call(
                Call.LIST_STATUS_BATCH,
                page(src),
                () -> super.listPaths(src, startAfter, needLocation),
                listing -> listing.getPartialListing().length);
    }

    @Override
    public BatchedDirectoryListing batchedListPaths(String[] srcs, byte[] startAfter, boolean needLocation)
            throws IOException {
        return calls.call(
                Call.LIST_STATUS_BATCH,
                page(srcs.length == 0 ? null : srcs[0]),
                () -> super.batchedListPaths(srcs, startAfter, needLocation),
                batch -> batch.getListings().length);
    }

    @Override
    public CorruptFileBlocks listCorruptFileBlocks(String path, String cookie) throws IOException {
        return calls.call(
                Call.LIST_CORRUPT_FILE_BLOCKS,
                page(path),
                () -> super.listCorruptFileBlocks(path, cookie),
                blocks -> blocks.getFiles().length);
    }

    @Override
    public SnapshotDiffReportListing getSnapshotDiffReportListing(
            String snapshotDir, String fromSnapshot, String toSnapshot, byte[] startPath, int index)
            throws IOException {
        return calls.call(
                Call.GET_SNAPSHOT_DIFF,
                page(snapshotDir),
                () -> super.getSnapshotDiffReportListing(snapshotDir, fromSnapshot, toSnapshot, startPath, index));
    }

    @Override
    public RemoteIterator<CacheDirectiveEntry> listCacheDirectives(CacheDirectiveInfo filter) throws IOException {
        checkOpen();
        return new CacheDirectiveIterator(namenode, filter, getTracer()) {
            @Override
            public BatchedEntries<CacheDirectiveEntry> makeRequest(Long before) throws IOException {
                return page(Call.CACHE_DIRECTIVE, "listCacheDirectives", () -> super.makeRequest(before));
            }
        };
    }

    @Override
    public RemoteIterator<CachePoolEntry> listCachePools() throws IOException {
        checkOpen();
        return new CachePoolIterator(namenode, getTracer()) {
            @Override
            public BatchedEntries<CachePoolEntry> makeRequest(String before) throws IOException {
                return page(Call.CACHE_DIRECTIVE, "listCachePools", () -> super.makeRequest(before));
            }
        };
    }

    @Override
    public RemoteIterator<EncryptionZone> listEncryptionZones() throws IOException {
        checkOpen();
        return new EncryptionZoneIterator(namenode, getTracer()) {
            @Override
            public BatchedEntries<EncryptionZone> makeRequest(Long before) throws IOException {
                return page(Call.ENCRYPTION_ZONE, "listEncryptionZones", () -> super.makeRequest(before));
            }
        };
    }

    @Override
    public RemoteIterator<ZoneReencryptionStatus> listReencryptionStatus() throws IOException {
        checkOpen();
        return new ReencryptionStatusIterator(namenode, getTracer()) {
            @Override
            public BatchedEntries<ZoneReencryptionStatus> makeRequest(Long before) throws IOException {
                return page(Call.ENCRYPTION_ZONE, "listReencryptionStatus", () -> super.makeRequest(before));
            }
        };
    }

    /** {@inheritDoc} All other variants end in this one. */
    @Override
    public RemoteIterator<OpenFileEntry> listOpenFiles(EnumSet<OpenFilesType> types, String path) throws IOException {
        checkOpen();
        return new OpenFilesIterator(namenode, getTracer(), types, path) {
            @Override
            public BatchedEntries<OpenFileEntry> makeRequest(Long before) throws IOException {
                return page(Call.ITERATIVE_GET_OPEN_FILES, "listOpenFiles", () -> super.makeRequest(before));
            }
        };
    }
}
