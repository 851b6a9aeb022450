// SPDX-License-Identifier: Apache-2.0
package io.packing.htfs;

import io.packing.trace.Call;
import java.io.IOException;
import java.net.URISyntaxException;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.fs.AbstractFileSystem;
import org.apache.hadoop.fs.BlockStoragePolicySpi;
import org.apache.hadoop.fs.MultipartUploaderBuilder;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.XAttrSetFlag;
import org.apache.hadoop.fs.permission.AclEntry;
import org.apache.hadoop.fs.permission.AclStatus;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.security.token.Token;

/** The part of {@link TracingAbstractFileSystem} for the attributes of files. */
abstract class AbstractAttributes extends AbstractNamespace {
    AbstractAttributes(AbstractFileSystem plain, CallRecorder calls) throws URISyntaxException {
        super(plain, calls);
    }

    @Override
    public boolean setReplication(Path f, short replication) throws IOException {
        return calls.test(
                Call.SET_REPLICATION,
                On.path(f).with("replication=" + replication),
                () -> plain.setReplication(f, replication));
    }

    @Override
    public void setPermission(Path f, FsPermission permission) throws IOException {
        calls.run(
                Call.SET_PERMISSION,
                On.path(f).with("permission=" + permission),
                () -> plain.setPermission(f, permission));
    }

    @Override
    public void setOwner(Path f, String user, String group) throws IOException {
        calls.run(Call.SET_OWNER, f, () -> plain.setOwner(f, user, group));
    }

    @Override
    public void setTimes(Path f, long mtime, long atime) throws IOException {
        calls.run(Call.SET_TIMES, f, () -> plain.setTimes(f, mtime, atime));
    }

    @Override
    public void setVerifyChecksum(boolean verify) throws IOException {
        calls.run(Call.SET_VERIFY_CHECKSUM, On.hints("verify=" + verify), () -> plain.setVerifyChecksum(verify));
    }

    @Override
    public void setStoragePolicy(Path f, String policy) throws IOException {
        calls.run(
                Call.SET_STORAGE_POLICY, On.path(f).with("policy=" + policy), () -> plain.setStoragePolicy(f, policy));
    }

    @Override
    public void unsetStoragePolicy(Path f) throws IOException {
        calls.run(Call.UNSET_STORAGE_POLICY, f, () -> plain.unsetStoragePolicy(f));
    }

    @Override
    public BlockStoragePolicySpi getStoragePolicy(Path f) throws IOException {
        return calls.call(Call.GET_STORAGE_POLICY, f, () -> plain.getStoragePolicy(f));
    }

    @Override
    public Collection<? extends BlockStoragePolicySpi> getAllStoragePolicies() throws IOException {
        return calls.call(
                Call.GET_STORAGE_POLICY, On.hints("op=getAllStoragePolicies"), () -> plain.getAllStoragePolicies());
    }

    @Override
    public void satisfyStoragePolicy(Path f) throws IOException {
        calls.run(Call.SATISFY_STORAGE_POLICY, f, () -> plain.satisfyStoragePolicy(f));
    }

    @Override
    public void modifyAclEntries(Path f, List<AclEntry> entries) throws IOException {
        calls.run(Call.MODIFY_ACL, On.path(f).with("op=modifyAclEntries"), () -> plain.modifyAclEntries(f, entries));
    }

    @Override
    public void removeAclEntries(Path f, List<AclEntry> entries) throws IOException {
        calls.run(Call.MODIFY_ACL, On.path(f).with("op=removeAclEntries"), () -> plain.removeAclEntries(f, entries));
    }

    @Override
    public void removeDefaultAcl(Path f) throws IOException {
        calls.run(Call.MODIFY_ACL, On.path(f).with("op=removeDefaultAcl"), () -> plain.removeDefaultAcl(f));
    }

    @Override
    public void removeAcl(Path f) throws IOException {
        calls.run(Call.MODIFY_ACL, On.path(f).with("op=removeAcl"), () -> plain.removeAcl(f));
    }

    @Override
    public void setAcl(Path f, List<AclEntry> entries) throws IOException {
        calls.run(Call.MODIFY_ACL, On.path(f).with("op=setAcl"), () -> plain.setAcl(f, entries));
    }

    @Override
    public AclStatus getAclStatus(Path f) throws IOException {
        return calls.call(Call.GET_ACL, f, () -> plain.getAclStatus(f));
    }

    @Override
    public void setXAttr(Path f, String name, byte[] value) throws IOException {
        calls.run(Call.SET_XATTR, f, () -> plain.setXAttr(f, name, value));
    }

    @Override
    public void setXAttr(Path f, String name, byte[] value, EnumSet<XAttrSetFlag> flags) throws IOException {
        calls.run(Call.SET_XATTR, f, () -> plain.setXAttr(f, name, value, flags));
    }

    @Override
    public byte[] getXAttr(Path f, String name) throws IOException {
        return calls.call(Call.GET_XATTR, f, () -> plain.getXAttr(f, name), value -> value.length);
    }

    @Override
    public Map<String, byte[]> getXAttrs(Path f) throws IOException {
        return calls.call(Call.GET_XATTR, f, () -> plain.getXAttrs(f), Map::size);
    }

    @Override
    public Map<String, byte[]> getXAttrs(Path f, List<String> names) throws IOException {
        return calls.call(Call.GET_XATTR, f, () -> plain.getXAttrs(f, names), Map::size);
    }

    @Override
    public List<String> listXAttrs(Path f) throws IOException {
        return calls.call(Call.GET_XATTR, f, () -> plain.listXAttrs(f), List::size);
    }

    @Override
    public void removeXAttr(Path f, String name) throws IOException {
        calls.run(Call.REMOVE_XATTR, f, () -> plain.removeXAttr(f, name));
    }

    @Override
    public Path createSnapshot(Path f, String name) throws IOException {
        return calls.call(Call.CREATE_SNAPSHOT, f, () -> plain.createSnapshot(f, name));
    }

    @Override
    public void renameSnapshot(Path f, String from, String to) throws IOException {
        calls.run(Call.RENAME_SNAPSHOT, f, () -> plain.renameSnapshot(f, from, to));
    }

    @Override
    public void deleteSnapshot(Path f, String name) throws IOException {
        calls.run(Call.DELETE_SNAPSHOT, f, () -> plain.deleteSnapshot(f, name));
    }

    @Override
    public List<Token<?>> getDelegationTokens(String renewer) throws IOException {
        return calls.call(Call.GET_DELEGATION_TOKEN, On.NOTHING, () -> plain.getDelegationTokens(renewer));
    }

    @Override
    public MultipartUploaderBuilder createMultipartUploader(Path base) throws IOException {
        return calls.call(Call.CREATE_MULTIPART_UPLOADER, base, () -> plain.createMultipartUploader(base));
    }
}
