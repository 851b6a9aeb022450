// SPDX-License-Identifier: Apache-2.0
package io.packing.cluster.noop;

import alluxio.AlluxioURI;
import alluxio.file.options.DescendantType;
import alluxio.underfs.ConsistentUnderFileSystem;
import alluxio.underfs.Fingerprint;
import alluxio.underfs.UfsDirectoryStatus;
import alluxio.underfs.UfsFileStatus;
import alluxio.underfs.UfsLoadResult;
import alluxio.underfs.UfsStatus;
import alluxio.underfs.UnderFileSystemConfiguration;
import alluxio.underfs.options.CreateOptions;
import alluxio.underfs.options.DeleteOptions;
import alluxio.underfs.options.FileLocationOptions;
import alluxio.underfs.options.GetFileStatusOptions;
import alluxio.underfs.options.ListOptions;
import alluxio.underfs.options.MkdirsOptions;
import alluxio.underfs.options.OpenOptions;
import java.io.FileNotFoundException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * An under file system that accepts every write and keeps only names and lengths, in the process that wrote.
 *
 * <p>A run over it pays all of Alluxio's own costs, so no other under file system can be faster. It answers like an
 * object store, as the packing layer does, so that runs over both take one way through Alluxio.
 */
final class NoopUnderFileSystem extends ConsistentUnderFileSystem {
    static final String SCHEME = "noop://";

    private static final String OWNER = "noop";
    private static final short MODE = 0755;

    private final Map<String, Long> lengths = new ConcurrentHashMap<>();

    NoopUnderFileSystem(AlluxioURI uri, UnderFileSystemConfiguration conf) {
        super(uri, conf);
    }

    @Override
    public String getUnderFSType() {
        return "noop";
    }

    @Override
    public boolean isObjectStorage() {
        return true;
    }

    @Override
    public OutputStream create(String path, CreateOptions options) {
        return new CountingOutput(bytes -> lengths.put(path, bytes));
    }

    @Override
    public InputStream open(String path, OpenOptions options) throws FileNotFoundException {
        throw new FileNotFoundException(path + ": a no-op under file system keeps no bytes");
    }

    /**
     * Returns a fingerprint that does not depend on this process's names. The master asks for it after a worker's
     * write.
     */
    @Override
    public Fingerprint getParsedFingerprint(String path, @Nullable String contentHash) {
        return Fingerprint.create(
                getUnderFSType(),
                new UfsFileStatus(path, contentHash == null ? "" : contentHash, 0, 0L, OWNER, OWNER, MODE));
    }

    @Override
    public Fingerprint getParsedFingerprint(String path) {
        return isFile(path)
                ? getParsedFingerprint(path, null)
                : Fingerprint.create(getUnderFSType(), getDirectoryStatus(path));
    }

    @Override
    public UfsStatus getStatus(String path) {
        return isFile(path) ? fileStatus(path) : getDirectoryStatus(path);
    }

    @Override
    public UfsFileStatus getFileStatus(String path, GetFileStatusOptions options) throws FileNotFoundException {
        if (!isFile(path)) {
            throw new FileNotFoundException(path);
        }
        return fileStatus(path);
    }

    private UfsFileStatus fileStatus(String path) {
        return new UfsFileStatus(path, "", lengths.getOrDefault(path, 0L), 0L, OWNER, OWNER, MODE);
    }

    @Override
    public UfsDirectoryStatus getDirectoryStatus(String path) {
        return new UfsDirectoryStatus(path, OWNER, OWNER, MODE, 0L);
    }

    @Override
    public boolean isFile(String path) {
        return lengths.containsKey(path);
    }

    @Override
    public boolean isDirectory(String path) {
        return !isFile(path);
    }

    @Override
    public boolean exists(String path) {
        return true;
    }

    @Override
    public UfsStatus[] listStatus(String path) {
        return new UfsStatus[0];
    }

    @Override
    public UfsStatus[] listStatus(String path, ListOptions options) {
        return listStatus(path);
    }

    @Override
    public void performListingAsync(
            String path,
            @Nullable String continuationToken,
            @Nullable String startAfter,
            DescendantType descendantType,
            boolean checkStatus,
            Consumer<UfsLoadResult> onComplete,
            Consumer<Throwable> onError) {
        onComplete.accept(new UfsLoadResult(Stream.empty(), 0, null, null, false, false, true));
    }

    @Override
    public boolean mkdirs(String path, MkdirsOptions options) {
        return true;
    }

    @Override
    public boolean deleteFile(String path) {
        lengths.remove(path);
        return true;
    }

    @Override
    public boolean deleteDirectory(String path, DeleteOptions options) {
        lengths.keySet().removeIf(p -> p.startsWith(path + "/"));
        return true;
    }

    @Override
    public boolean renameFile(String src, String dst) {
        Long length = lengths.remove(src);
        if (length != null) {
            lengths.put(dst, length);
        }
        return true;
    }

    @Override
    public boolean renameDirectory(String src, String dst) {
        return true;
    }

    @Override
    public long getBlockSizeByte(String path) {
        return 64L << 20;
    }

    @Override
    public @Nullable List<String> getFileLocations(String path) {
        return null;
    }

    @Override
    public @Nullable List<String> getFileLocations(String path, FileLocationOptions options) {
        return null;
    }

    @Override
    public long getSpace(String path, SpaceType type) {
        return -1;
    }

    @Override
    public void setMode(String path, short mode) {}

    @Override
    public void setOwner(String path, String owner, String group) {}

    @Override
    public boolean supportsFlush() {
        return false;
    }

    @Override
    public void cleanup() {}

    @Override
    public void connectFromMaster(String hostname) {}

    @Override
    public void connectFromWorker(String hostname) {}
}
