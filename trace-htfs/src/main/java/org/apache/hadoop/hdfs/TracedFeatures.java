// SPDX-License-Identifier: Apache-2.0
package org.apache.hadoop.hdfs;

import io.packing.htfs.On;
import io.packing.trace.Call;
import java.io.IOException;
import java.util.Collection;
import java.util.EnumSet;
import java.util.Map;
import org.apache.hadoop.fs.CacheFlag;
import org.apache.hadoop.fs.MultipartUploaderBuilder;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.hdfs.protocol.AddErasureCodingPolicyResponse;
import org.apache.hadoop.hdfs.protocol.CacheDirectiveEntry;
import org.apache.hadoop.hdfs.protocol.CacheDirectiveInfo;
import org.apache.hadoop.hdfs.protocol.CachePoolEntry;
import org.apache.hadoop.hdfs.protocol.CachePoolInfo;
import org.apache.hadoop.hdfs.protocol.ECTopologyVerifierResult;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicyInfo;
import org.apache.hadoop.hdfs.protocol.OpenFileEntry;
import org.apache.hadoop.hdfs.protocol.OpenFilesIterator.OpenFilesType;
import org.apache.hadoop.hdfs.security.token.delegation.DelegationTokenIdentifier;
import org.apache.hadoop.security.token.Token;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;

/** The part of {@link TracingDistributedFileSystem} for HDFS's own features: leases, erasure coding and its cache. */
@NullMarked
public abstract class TracedFeatures extends TracedAttributes {
    @Override
    public boolean recoverLease(Path f) throws IOException {
        return calls.test(Call.RECOVER_LEASE, f, () -> super.recoverLease(f));
    }

    @Override
    public boolean isFileClosed(Path f) throws IOException {
        return calls.test(Call.IS_FILE_CLOSED, f, () -> super.isFileClosed(f));
    }

    @Override
    public RemoteIterator<OpenFileEntry> listOpenFiles() throws IOException {
        return calls.call(Call.ITERATIVE_GET_OPEN_FILES, On.NOTHING, () -> super.listOpenFiles());
    }

    @Override
    public RemoteIterator<OpenFileEntry> listOpenFiles(EnumSet<OpenFilesType> types) throws IOException {
        return calls.call(Call.ITERATIVE_GET_OPEN_FILES, On.NOTHING, () -> super.listOpenFiles(types));
    }

    @Override
    public RemoteIterator<OpenFileEntry> listOpenFiles(EnumSet<OpenFilesType> types, String path) throws IOException {
        return calls.call(
                Call.ITERATIVE_GET_OPEN_FILES, On.hints("under=" + path), () -> super.listOpenFiles(types, path));
    }

    @Override
    public MultipartUploaderBuilder createMultipartUploader(Path f) throws IOException {
        return calls.call(Call.CREATE_MULTIPART_UPLOADER, f, () -> super.createMultipartUploader(f));
    }

    @Override
    public Token<DelegationTokenIdentifier> getDelegationToken(String renewer) throws IOException {
        return calls.call(Call.GET_DELEGATION_TOKEN, On.NOTHING, () -> super.getDelegationToken(renewer));
    }

    // Erasure coding

    @Override
    public void setErasureCodingPolicy(Path f, String policy) throws IOException {
        calls.run(
                Call.ERASURE_CODING,
                On.path(f).with("op=setErasureCodingPolicy"),
                () -> super.setErasureCodingPolicy(f, policy));
    }

    @Override
    public void unsetErasureCodingPolicy(Path f) throws IOException {
        calls.run(
                Call.ERASURE_CODING,
                On.path(f).with("op=unsetErasureCodingPolicy"),
                () -> super.unsetErasureCodingPolicy(f));
    }

    @Override
    public ErasureCodingPolicy getErasureCodingPolicy(Path f) throws IOException {
        return calls.call(
                Call.ERASURE_CODING,
                On.path(f).with("op=getErasureCodingPolicy"),
                () -> super.getErasureCodingPolicy(f));
    }

    @Override
    public Collection<ErasureCodingPolicyInfo> getAllErasureCodingPolicies() throws IOException {
        return calls.call(
                Call.ERASURE_CODING,
                On.hints("op=getAllErasureCodingPolicies"),
                () -> super.getAllErasureCodingPolicies());
    }

    @Override
    public Map<String, String> getAllErasureCodingCodecs() throws IOException {
        return calls.call(
                Call.ERASURE_CODING, On.hints("op=getAllErasureCodingCodecs"), () -> super.getAllErasureCodingCodecs());
    }

    @Override
    public AddErasureCodingPolicyResponse[] addErasureCodingPolicies(ErasureCodingPolicy[] policies)
            throws IOException {
        return calls.call(
                Call.ERASURE_CODING,
                On.hints("op=addErasureCodingPolicies"),
                () -> super.addErasureCodingPolicies(policies));
    }

    @Override
    public void removeErasureCodingPolicy(String policy) throws IOException {
        calls.run(
                Call.ERASURE_CODING,
                On.hints("op=removeErasureCodingPolicy"),
                () -> super.removeErasureCodingPolicy(policy));
    }

    @Override
    public void enableErasureCodingPolicy(String policy) throws IOException {
        calls.run(
                Call.ERASURE_CODING,
                On.hints("op=enableErasureCodingPolicy"),
                () -> super.enableErasureCodingPolicy(policy));
    }

    @Override
    public void disableErasureCodingPolicy(String policy) throws IOException {
        calls.run(
                Call.ERASURE_CODING,
                On.hints("op=disableErasureCodingPolicy"),
                () -> super.disableErasureCodingPolicy(policy));
    }

    @Override
    public ECTopologyVerifierResult getECTopologyResultForPolicies(String... policies) throws IOException {
        return calls.call(
                Call.ERASURE_CODING,
                On.hints("op=getECTopologyResultForPolicies"),
                () -> super.getECTopologyResultForPolicies(policies));
    }

    // Central cache

    @Override
    public long addCacheDirective(CacheDirectiveInfo directive) throws IOException {
        return calls.call(
                Call.CACHE_DIRECTIVE,
                pathOf(directive).with("op=addCacheDirective"),
                () -> super.addCacheDirective(directive),
                id -> id);
    }

    @Override
    public long addCacheDirective(CacheDirectiveInfo directive, EnumSet<CacheFlag> flags) throws IOException {
        return calls.call(
                Call.CACHE_DIRECTIVE,
                pathOf(directive).with("op=addCacheDirective"),
                () -> super.addCacheDirective(directive, flags),
                id -> id);
    }

    @Override
    public void modifyCacheDirective(CacheDirectiveInfo directive) throws IOException {
        calls.run(
                Call.CACHE_DIRECTIVE,
                pathOf(directive).with("op=modifyCacheDirective"),
                () -> super.modifyCacheDirective(directive));
    }

    @Override
    public void modifyCacheDirective(CacheDirectiveInfo directive, EnumSet<CacheFlag> flags) throws IOException {
        calls.run(
                Call.CACHE_DIRECTIVE,
                pathOf(directive).with("op=modifyCacheDirective"),
                () -> super.modifyCacheDirective(directive, flags));
    }

    @Override
    public void removeCacheDirective(long id) throws IOException {
        calls.run(Call.CACHE_DIRECTIVE, On.hints("op=removeCacheDirective"), () -> super.removeCacheDirective(id));
    }

    @Override
    public RemoteIterator<CacheDirectiveEntry> listCacheDirectives(CacheDirectiveInfo filter) throws IOException {
        return calls.call(
                Call.CACHE_DIRECTIVE, On.hints("op=listCacheDirectives"), () -> super.listCacheDirectives(filter));
    }

    @Override
    public void addCachePool(CachePoolInfo pool) throws IOException {
        calls.run(Call.CACHE_DIRECTIVE, On.hints("op=addCachePool"), () -> super.addCachePool(pool));
    }

    @Override
    public void modifyCachePool(CachePoolInfo pool) throws IOException {
        calls.run(Call.CACHE_DIRECTIVE, On.hints("op=modifyCachePool"), () -> super.modifyCachePool(pool));
    }

    @Override
    public void removeCachePool(String pool) throws IOException {
        calls.run(Call.CACHE_DIRECTIVE, On.hints("op=removeCachePool"), () -> super.removeCachePool(pool));
    }

    @Override
    public RemoteIterator<CachePoolEntry> listCachePools() throws IOException {
        return calls.call(Call.CACHE_DIRECTIVE, On.hints("op=listCachePools"), () -> super.listCachePools());
    }

    private static On pathOf(@Nullable CacheDirectiveInfo directive) {
        return On.path(directive == null ? null : directive.getPath());
    }
}
