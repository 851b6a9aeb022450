// SPDX-License-Identifier: Apache-2.0
package io.packing.htfs;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.SafeModeAction;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.fs.XAttrSetFlag;
import org.apache.hadoop.fs.permission.AclEntry;
import org.apache.hadoop.fs.permission.FsAction;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.CacheDirectiveInfo;
import org.apache.hadoop.hdfs.protocol.CachePoolInfo;

/** A script with nearly every call of HDFS, failing ones included, and their results as text. */
final class HdfsScript {
    /** A call; its text depends only on the state of the file system. */
    private interface Step {
        Object take(DistributedFileSystem fs) throws Exception;
    }

    private final Path home = new Path("/script");
    private final Path file = new Path(home, "file");
    private final Path missing = new Path(home, "missing");
    private final Map<String, Step> steps = new LinkedHashMap<>();

    HdfsScript() {
        files();
        streams();
        attributes();
        features();
        failures();
    }

    private void step(String name, Step step) {
        if (steps.put(name, step) != null) {
            throw new IllegalArgumentException("twice: " + name);
        }
    }

    List<String> names() {
        return List.copyOf(steps.keySet());
    }

    /** Takes one step, and returns its result as text. */
    String take(String name, DistributedFileSystem fs) {
        try {
            return Outcome.text(Objects.requireNonNull(steps.get(name)).take(fs));
        } catch (Exception e) {
            String message = String.valueOf(e.getMessage());
            return e.getClass().getName() + ": " + message.lines().findFirst().orElse("");
        }
    }

    private void files() {
        step("mkdirs", fs -> fs.mkdirs(home));
        step("mkdir", fs -> fs.mkdir(new Path(home, "d"), FsPermission.getDirDefault()));
        step("createNewFile", fs -> fs.createNewFile(file));
        step("createNewFile again", fs -> fs.createNewFile(file));
        step("create", fs -> write(fs.create(file), 5_000));
        step(
                "create with permission",
                fs -> write(
                        fs.create(
                                new Path(home, "p"),
                                FsPermission.valueOf("-rw-------"),
                                EnumSet.of(CreateFlag.CREATE),
                                4096,
                                (short) 1,
                                HdfsForTests.BLOCK,
                                () -> {}),
                        17));
        step("create in place of", fs -> write(fs.create(file, false), 1));
        step("overwrite", fs -> write(fs.create(file, true), 6_000));
        step("append", fs -> write(fs.append(file), 10));
        step("append to a new block", fs -> write(fs.append(file, true), 10));
        step("concat", fs -> {
            write(fs.create(new Path(home, "c1")), HdfsForTests.BLOCK);
            write(fs.create(new Path(home, "c2")), 30);
            fs.concat(new Path(home, "c1"), new Path[] {new Path(home, "c2")});
            return fs.getFileStatus(new Path(home, "c1"));
        });
        step("getFileStatus", fs -> fs.getFileStatus(file));
        step("getFileLinkStatus", fs -> fs.getFileLinkStatus(file));
        step("relative path", fs -> {
            fs.setWorkingDirectory(home);
            return fs.getFileStatus(new Path("file"));
        });
        step("exists", fs -> fs.exists(file) + " " + fs.exists(missing));
        step("isFile", fs -> fs.isFile(file) + " " + fs.isDirectory(home) + " " + fs.isFile(missing));
        step("listStatus", fs -> fs.listStatus(home));
        step(
                "listStatus with filter",
                fs -> fs.listStatus(home, path -> path.getName().startsWith("f")));
        step("listStatus of many", fs -> fs.listStatus(new Path[] {home, file}));
        step("listStatusIterator", fs -> fs.listStatusIterator(home));
        step("listLocatedStatus", fs -> fs.listLocatedStatus(home));
        step("listFiles", fs -> fs.listFiles(home, true));
        step(
                "batchedListStatusIterator",
                fs -> fs.batchedListStatusIterator(List.of(home)).next().get().size());
        step("globStatus", fs -> fs.globStatus(new Path(home, "*")));
        step("globStatus of nothing", fs -> fs.globStatus(new Path(missing, "*")));
        step("getFileBlockLocations", fs -> fs.getFileBlockLocations(file, 0, 10).length);
        step("getFileBlockLocations of null", fs -> fs.getFileBlockLocations((FileStatus) null, 0, 10));
        step("getFileChecksum", fs -> fs.getFileChecksum(file));
        step("getFileChecksum of a part", fs -> fs.getFileChecksum(file, 10));
        step("getContentSummary", fs -> fs.getContentSummary(home));
        step("getQuotaUsage", fs -> fs.getQuotaUsage(home));
        step("getServerDefaults", fs -> fs.getServerDefaults(home).getBlockSize());
        step("getUsed", fs -> fs.getUsed(home));
        step("resolvePath", fs -> fs.resolvePath(new Path("/script/../script/file")));
        step("access", fs -> {
            fs.access(file, FsAction.READ);
            return "";
        });
        step("rename", fs -> fs.rename(new Path(home, "p"), new Path(home, "q")));
        step("rename of nothing", fs -> fs.rename(missing, new Path(home, "q")));
        step("rename with options", fs -> {
            fs.rename(new Path(home, "q"), file, Options.Rename.OVERWRITE);
            return fs.getFileStatus(file);
        });
        step("truncate", fs -> fs.truncate(new Path(home, "c1"), HdfsForTests.BLOCK));
        step("delete of nothing", fs -> fs.delete(missing, false));
        step("delete of a full directory", fs -> fs.delete(home, false));
        step("msync", fs -> {
            fs.msync();
            return "";
        });
    }

    private static int write(OutputStream out, int length) throws IOException {
        try (out) {
            out.write(new byte[length]);
        }
        return length;
    }

    private void streams() {
        step("open", fs -> read(fs.open(file)));
        step("open by handle", fs -> read(fs.open(fs.getPathHandle(fs.getFileStatus(file)))));
        step("openFile", fs -> read(fs.openFile(file).build().get()));
        step(
                "openFile with an unknown need",
                fs -> read(
                        fs.openFile(file).must("no.such.option", true).build().get()));
        step("createFile", fs -> write(fs.createFile(new Path(home, "built")).build(), 10));
        step(
                "createFile with a policy",
                fs -> write(
                        fs.createFile(new Path(home, "replicated"))
                                .replicate()
                                .noLocalWrite()
                                .storagePolicyName("HOT")
                                .build(),
                        10));
        step(
                "createFile of nothing",
                fs -> write(fs.createFile(new Path(missing, "f")).build(), 10));
        step("appendFile", fs -> write(fs.appendFile(new Path(home, "built")).build(), 5));
        step("reads past the end", fs -> {
            try (FSDataInputStream in = fs.open(file)) {
                in.seek(17);
                return in.read() + " " + in.read(new byte[5]) + " " + in.read(17, new byte[4], 0, 4) + " " + in.skip(5)
                        + " " + in.available() + " " + in.getPos();
            }
        });
        step("seek past the end", fs -> {
            try (FSDataInputStream in = fs.open(file)) {
                in.seek(1_000_000);
                return "";
            }
        });
        step("mark and reset", fs -> {
            try (FSDataInputStream in = fs.open(file)) {
                boolean marks = in.markSupported();
                in.reset();
                return marks;
            }
        });
        step("abort", fs -> {
            try (FSDataOutputStream out = fs.create(new Path(home, "aborted"))) {
                return out.abort();
            }
        });
        step("reads what a deleted file had", fs -> {
            write(fs.create(new Path(home, "short")), 3);
            try (FSDataInputStream in = fs.open(new Path(home, "short"))) {
                fs.delete(new Path(home, "short"), false);
                return in.read();
            }
        });
    }

    private static int read(InputStream in) throws IOException {
        try (in) {
            return in.readAllBytes().length;
        }
    }

    private void attributes() {
        step("setPermission", fs -> {
            fs.setPermission(file, FsPermission.valueOf("-rwxr-x---"));
            return fs.getFileStatus(file);
        });
        step("setReplication", fs -> fs.setReplication(file, (short) 1));
        step("setTimes", fs -> {
            fs.setTimes(file, 1_000, 2_000);
            return fs.getFileStatus(file).getModificationTime();
        });
        step("setOwner", fs -> {
            fs.setOwner(file, "somebody", "some");
            return fs.getFileStatus(file).getOwner();
        });
        step("acl", fs -> {
            fs.setAcl(file, AclEntry.parseAclSpec("user::rwx,group::r--,other::---,user:a:r--", true));
            fs.modifyAclEntries(file, AclEntry.parseAclSpec("user:b:rw-", true));
            fs.removeAclEntries(file, AclEntry.parseAclSpec("user:a", false));
            String entries = fs.getAclStatus(file).toString();
            fs.removeDefaultAcl(file);
            fs.removeAcl(file);
            return entries + fs.getAclStatus(file);
        });
        step("xattr", fs -> {
            fs.setXAttr(file, "user.a", new byte[] {1});
            fs.setXAttr(file, "user.b", new byte[] {2}, EnumSet.of(XAttrSetFlag.CREATE));
            String names = new TreeMap<>(fs.getXAttrs(file)).keySet() + " "
                    + fs.listXAttrs(file).size();
            fs.removeXAttr(file, "user.a");
            return names + fs.getXAttrs(file, List.of("user.b")).size();
        });
        step("getXAttr", fs -> fs.getXAttr(file, "user.b"));
        step("getXAttr of none", fs -> fs.getXAttr(file, "user.none"));
        step("storage policy", fs -> {
            fs.setStoragePolicy(home, "COLD");
            String policy = fs.getStoragePolicy(home).getName();
            fs.unsetStoragePolicy(home);
            return policy + fs.getAllStoragePolicies().size();
        });
        step("satisfyStoragePolicy", fs -> {
            fs.satisfyStoragePolicy(file);
            return "";
        });
        step("quota", fs -> {
            fs.setQuota(home, 1_000, 1L << 40);
            fs.setQuotaByStorageType(home, StorageType.SSD, 1L << 30);
            return fs.getQuotaUsage(home);
        });
        step("snapshots", fs -> {
            fs.allowSnapshot(home);
            Path first = fs.createSnapshot(home, "one");
            write(fs.create(new Path(home, "later")), 1);
            fs.createSnapshot(home, "two");
            int changes =
                    fs.getSnapshotDiffReport(home, "one", "two").getDiffList().size();
            fs.renameSnapshot(home, "two", "three");
            fs.deleteSnapshot(home, "one");
            fs.deleteSnapshot(home, "three");
            int directories = fs.getSnapshottableDirListing().length;
            fs.disallowSnapshot(home);
            return first + " " + changes + " " + directories;
        });
    }

    private void features() {
        step("recoverLease", fs -> fs.recoverLease(file));
        step("isFileClosed", fs -> fs.isFileClosed(file));
        step("listOpenFiles", fs -> fs.listOpenFiles());
        step("erasure coding", fs -> {
            fs.enableErasureCodingPolicy("XOR-2-1-1024k");
            fs.mkdirs(new Path(home, "ec"));
            fs.setErasureCodingPolicy(new Path(home, "ec"), "XOR-2-1-1024k");
            Path coded = new Path(home, "ec/f");
            write(fs.create(coded), 3 * HdfsForTests.BLOCK + 5);
            return read(fs.open(coded)) + " " + fs.getErasureCodingPolicy(coded).getName();
        });
        step("sync of a coded file", fs -> {
            try (FSDataOutputStream out = fs.create(new Path(home, "ec/g"))) {
                out.hflush();
                return out.hasCapability("hflush");
            }
        });
        step("unset erasure coding", fs -> {
            fs.unsetErasureCodingPolicy(new Path(home, "ec"));
            return fs.getAllErasureCodingPolicies().size()
                    + fs.getAllErasureCodingCodecs().size();
        });
        step("cache", fs -> {
            fs.addCachePool(new CachePoolInfo("pool"));
            long id = fs.addCacheDirective(new CacheDirectiveInfo.Builder()
                    .setPath(file)
                    .setPool("pool")
                    .build());
            fs.modifyCacheDirective(new CacheDirectiveInfo.Builder()
                    .setId(id)
                    .setReplication((short) 2)
                    .build());
            boolean listed = fs.listCacheDirectives(null).hasNext();
            fs.removeCacheDirective(id);
            boolean pools = fs.listCachePools().hasNext();
            fs.modifyCachePool(new CachePoolInfo("pool").setLimit(10L));
            fs.removeCachePool("pool");
            return listed + " " + pools;
        });
        step("safe mode", fs -> fs.setSafeMode(SafeModeAction.GET) + " " + fs.isInSafeMode());
        step("saveNamespace outside safe mode", fs -> {
            fs.saveNamespace();
            return "";
        });
        step("rollEdits", fs -> fs.rollEdits() > 0);
        step("data nodes", fs -> fs.getDataNodeStats().length);
        step("missing blocks", fs -> fs.getMissingBlocksCount());
        step("upgradeStatus", fs -> fs.upgradeStatus());
        step("createEncryptionZone", fs -> {
            fs.createEncryptionZone(new Path(home, "d"), "key");
            return "";
        });
        step("getEZForPath", fs -> fs.getEZForPath(file));
        step("trash", fs -> fs.getTrashRoot(file) + " " + fs.getTrashRoots(true));
        step("getDelegationToken", fs -> fs.getDelegationToken("renewer"));
        step("createMultipartUploader", fs -> fs.createMultipartUploader(home).build() != null);
    }

    private void failures() {
        step("open of nothing", fs -> fs.open(missing));
        step("open of a directory", fs -> fs.open(home));
        step("open of null", fs -> fs.open((Path) null));
        step("path of another file system", fs -> fs.getFileStatus(new Path("hdfs://elsewhere:1/f")));
        step("bad name", fs -> fs.mkdirs(new Path("/a:b")));
        step("append to nothing", fs -> fs.append(missing));
        step(
                "createNonRecursive",
                fs -> fs.createNonRecursive(
                        new Path(missing, "f"), true, 4096, (short) 1, HdfsForTests.BLOCK, () -> {}));
        step("create with a bad block size", fs -> fs.create(new Path(home, "bad"), true, 4096, (short) 1, 1_000));
        step("listStatus of nothing", fs -> fs.listStatus(missing));
        step("concat of nothing", fs -> {
            fs.concat(file, new Path[] {missing});
            return "";
        });
        step("concat of null", fs -> {
            fs.concat(file, null);
            return "";
        });
        step("setReplication of nothing", fs -> fs.setReplication(missing, (short) 2));
        step("symlink", fs -> {
            fs.createSymlink(file, new Path(home, "link"), false);
            return "";
        });
        step("getLinkTarget", fs -> fs.getLinkTarget(file));
        step("createSnapshot where none may be", fs -> fs.createSnapshot(home, "s"));
        step("setStoragePolicy that is none", fs -> {
            fs.setStoragePolicy(file, "no such policy");
            return "";
        });
        step("delete", fs -> fs.delete(home, true));
        step("after the close", fs -> {
            fs.close();
            return fs.exists(file);
        });
    }
}
