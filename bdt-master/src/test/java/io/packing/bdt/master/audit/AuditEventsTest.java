// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.audit;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.DescriptorProtos;
import io.packing.bdt.rpc.AttributeChangeMessage;
import io.packing.bdt.rpc.DeleteRequest;
import io.packing.bdt.rpc.FindRequest;
import io.packing.bdt.rpc.MkdirRequest;
import io.packing.bdt.rpc.OpenRequest;
import io.packing.bdt.rpc.OperationMessage;
import io.packing.bdt.rpc.PathRequest;
import io.packing.bdt.rpc.RenameRequest;
import io.packing.bdt.rpc.SetAttributesRequest;
import io.packing.bdt.rpc.SetQuotaRequest;
import io.packing.bdt.rpc.VectorRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

final class AuditEventsTest {
    /** As the parsers of HDFS's audit log have it. */
    private static final Pattern HDFS = Pattern.compile(
            "allowed=(true|false)\tugi=([^\t]+)\tip=(\\S+)\tcmd=(\\S+)\tsrc=([^\t]+)\tdst=([^\t]+)\tperm=([^\t]+)\tproto=rpc");

    private static List<String> lines(String method, Object message) {
        return AuditEvents.of(method, message).stream()
                .map(event -> event.line(true, new AuditCaller("alice", "CERTIFICATE", Optional.empty(), "/127.0.0.1")))
                .toList();
    }

    @Test
    void aLineIsThatOfHdfs() {
        MkdirRequest mkdir = MkdirRequest.newBuilder()
                .setPath("/a b")
                .setOwner("alice")
                .setGroup("staff")
                .setMode(0750)
                .build();
        assertThat(lines("Mkdir", mkdir))
                .containsExactly(
                        "allowed=true\tugi=alice (auth:CERTIFICATE)\tip=/127.0.0.1\tcmd=mkdirs\tsrc=/a b\tdst=null"
                                + "\tperm=alice:staff:0750\tproto=rpc");
        RenameRequest rename =
                RenameRequest.newBuilder().setFrom("/a").setTo("/b").build();
        assertThat(AuditEvents.of("Rename", rename)
                        .get(0)
                        .line(false, new AuditCaller("bob", "TOKEN", Optional.empty(), "/::1")))
                .isEqualTo(
                        "allowed=false\tugi=bob (auth:TOKEN)\tip=/::1\tcmd=rename\tsrc=/a\tdst=/b\tperm=null\tproto=rpc");
        assertThat(AuditEvent.of("create", "/f")
                        .by("carol")
                        .line(true, new AuditCaller("node-1", "CERTIFICATE", Optional.empty(), "/::1")))
                .contains("\tugi=carol (auth:PROXY) via node-1 (auth:CERTIFICATE)\t");
    }

    @Test
    void aNameCanMakeNoSecondLineAndNoOtherField() {
        for (String name : List.of(
                "/a\nallowed=true\tugi=root",
                "/a\r\n",
                "/a\tsrc=/b",
                "/\u2028x",
                "/\u0085x",
                "/\u202egnp.exe",
                "/\u0000",
                "/a\\u000a")) {
            List<String> lines =
                    lines("Delete", DeleteRequest.newBuilder().setPath(name).build());
            assertThat(lines).hasSize(1).allSatisfy(line -> assertThat(line).matches(HDFS));
            assertThat(lines.get(0).lines()).hasSize(1);
            assertThat(lines.get(0)).doesNotContain(name);
        }
        assertThat(AuditEvent.escaped("/a\nb\\c")).isEqualTo("/a\\u000ab\\u005cc");
        assertThat(AuditEvent.of("stat", "/x")
                        .line(true, new AuditCaller("a\nb", "TOKEN", Optional.empty(), "/::1"))
                        .lines())
                .hasSize(1);
    }

    @Test
    void aMountIsNamedByItsStoreAndByNoSecret() {
        OpenRequest open = OpenRequest.newBuilder()
                .putOptions("packing.store", "s3://bucket/prefix")
                .putOptions("packing.s3.secret.key", "iAmASecret")
                .putOptions("packing.s3.access.key", "iAmAKey")
                .build();
        assertThat(lines("Open", open))
                .singleElement()
                .asString()
                .contains("src=s3://bucket/prefix\t")
                .doesNotContain("iAm");
    }

    @Test
    void quotasAreTold() {
        SetQuotaRequest.Builder set = SetQuotaRequest.newBuilder().setPath("/d").setMostNames(7);
        assertThat(lines("SetQuota", set.build())).singleElement().asString().contains("\tcmd=setQuota\tsrc=/d\t");
        assertThat(lines("SetQuota", set.setMostBytes(-1).build()))
                .singleElement()
                .asString()
                .contains("\tcmd=clearQuota\tsrc=/d\t");
        assertThat(lines("Quota", PathRequest.newBuilder().setPath("/d").build()))
                .singleElement()
                .asString()
                .contains("\tcmd=quotaUsage\tsrc=/d\t");
    }

    @Test
    void eachPathThatIsLookedUpAmongOthersHasItsLine() {
        FindRequest find = FindRequest.newBuilder()
                .setMount("m")
                .addPaths("/a")
                .addPaths("/b\nc")
                .build();
        assertThat(lines("Find", find))
                .hasSize(2)
                .allMatch(line -> HDFS.matcher(line).matches())
                .satisfiesExactly(
                        line -> assertThat(line).contains("\tcmd=find\tsrc=/a\t"),
                        line -> assertThat(line).contains("\tcmd=find\tsrc=/b\\u000ac\t"));
    }

    @Test
    void eachPartOfAChangeAndOfAVectorHasItsLine() {
        SetAttributesRequest all = SetAttributesRequest.newBuilder()
                .setPath("/f")
                .setOwner("bob")
                .setMode(0600)
                .setMtimeMillis(1)
                .build();
        assertThat(lines("SetAttributes", all)).hasSize(3).allMatch(line -> line.contains("src=/f"));
        // Every kind of operation that the protocol has, filled by its descriptor: none is forgotten.
        List<OperationMessage> operations = new ArrayList<>();
        OperationMessage.getDescriptor()
                .getOneofs()
                .get(0)
                .getFields()
                .forEach(field -> operations.add(OperationMessage.newBuilder()
                        .setField(
                                field,
                                OperationMessage.newBuilder()
                                        .getFieldBuilder(field)
                                        .build())
                        .build()));
        operations.replaceAll(each -> each.hasSetAttributes()
                ? each.toBuilder()
                        .setSetAttributes(OperationMessage.SetAttributes.newBuilder()
                                .setChange(AttributeChangeMessage.newBuilder().setMode(0700)))
                        .build()
                : each);
        VectorRequest vector =
                VectorRequest.newBuilder().addAllOperations(operations).build();
        assertThat(operations).hasSizeGreaterThanOrEqualTo(16);
        assertThat(lines("Apply", vector))
                .hasSize(operations.size())
                .allMatch(line -> HDFS.matcher(line).matches());
    }

    @Test
    void whatHasNoPathIsNamedByItsCall() {
        assertThat(lines("SealNow", PathRequest.getDefaultInstance())).hasSize(1);
        assertThat(lines("Statistics", DescriptorProtos.FileOptions.getDefaultInstance()))
                .isEmpty();
        assertThat(lines("Checkpoint", DescriptorProtos.FileOptions.getDefaultInstance())
                        .get(0))
                .contains("cmd=checkpoint\tsrc=null");
    }
}
