// SPDX-License-Identifier: Apache-2.0
package io.packing.worker.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import io.packing.bdt.Bdt;
import io.packing.bdt.DeniedException;
import io.packing.bdt.DirectoryAttributes;
import io.packing.bdt.Outcome;
import io.packing.bdt.client.GrpcBdts;
import io.packing.blob.FilePath;
import io.packing.worker.api.CreateOptions;
import io.packing.worker.api.MountOptions;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** The audit log of a master with TLS: each act with its user and proxy, and each denial. */
@Timeout(120)
final class AuditedCallsTest {
    @TempDir
    private Path home;

    private static final class Lines extends AppenderBase<ILoggingEvent> {
        private final List<String> all = new CopyOnWriteArrayList<>();

        @Override
        protected void append(ILoggingEvent event) {
            all.add(event.getFormattedMessage());
        }
    }

    @Test
    void eachCallHasALineWithItsUserAndWhetherItWasAllowed() throws Exception {
        Logger logger = (Logger) LoggerFactory.getLogger("packing.audit");
        Lines lines = new Lines();
        lines.start();
        logger.setLevel(Level.INFO);
        logger.addAppender(lines);
        String token;
        try (SecuredRig rig = new SecuredRig(home);
                Users users = new Users(rig)) {
            Bdt alice = users.bdt("alice");
            assertThat(alice.mkdir(new FilePath("/a\nb"), new DirectoryAttributes("", "", 0700), false))
                    .isEqualTo(Outcome.DONE);
            assertThatExceptionOfType(DeniedException.class)
                    .isThrownBy(() -> users.bdt("carol").list(new FilePath("/a\nb"), "", 1));
            assertThat(users.bdt("carol").find(List.of(new FilePath("/a\nb/x"), new FilePath("/none"))))
                    .extracting(found -> found.denied().isPresent())
                    .containsExactly(true, false);
            CreateOptions options = new CreateOptions("", "", 0600, false, false);
            assertThat(users.mount("alice")
                            .put(new FilePath("/a\nb/f"), ByteBuffer.allocate(5), options)
                            .get())
                    .isNotNull();
            assertThatExceptionOfType(ExecutionException.class)
                    .isThrownBy(() -> users.mount("carol")
                            .put(new FilePath("/a\nb/g"), ByteBuffer.allocate(5), options)
                            .get())
                    .withCauseInstanceOf(DeniedException.class);
            MountOptions certified = rig.certified("dave", "CN=dave");
            try (GrpcBdts bdts = rig.bdts(certified.security())) {
                token = bdts.tokens().issue("", "").text();
            }
            MountOptions byToken = rig.showing(token);
            try (GrpcBdts bdts = rig.bdts(byToken.security())) {
                assertThat(bdts.open(byToken.raw()).stat(new FilePath("/none"))).isEmpty();
            }
        } finally {
            logger.detachAppender(lines);
        }
        // The rig's master has ended, so all lines are written.
        assertThat(lines.all).allMatch(line -> line.lines().count() == 1).noneMatch(line -> line.contains(token));
        assertThat(lines.all)
                .anyMatch(line -> line.startsWith(
                        "allowed=true\tugi=alice (auth:CERTIFICATE)\tip=/127.0.0.1\tcmd=mkdirs\tsrc=/a\\u000ab\t"))
                .anyMatch(line -> line.startsWith(
                        "allowed=false\tugi=carol (auth:CERTIFICATE)\tip=/127.0.0.1\tcmd=listStatus\tsrc=/a\\u000ab\t"))
                .anyMatch(line ->
                        line.startsWith("allowed=false\tugi=carol") && line.contains("cmd=find\tsrc=/a\\u000ab/x\t"))
                .anyMatch(line -> line.startsWith("allowed=true\tugi=carol") && line.contains("cmd=find\tsrc=/none\t"))
                .anyMatch(
                        line -> line.startsWith(
                                "allowed=true\tugi=alice (auth:PROXY) via worker-1 (auth:CERTIFICATE)\tip=/127.0.0.1\tcmd=create\tsrc=/a\\u000ab/f\t"))
                .anyMatch(
                        line -> line.startsWith(
                                "allowed=false\tugi=carol (auth:PROXY) via worker-1 (auth:CERTIFICATE)\tip=/127.0.0.1\tcmd=create\tsrc=/a\\u000ab/g\t"))
                .anyMatch(line -> line.contains("ugi=dave (auth:TOKEN)") && line.contains("cmd=getfileinfo\tsrc=/none"))
                .anyMatch(line -> line.contains("cmd=register\tsrc=worker-1"));
    }
}
