// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.rpc;

import io.packing.bdt.Quota;
import io.packing.bdt.QuotaChange;
import io.packing.blob.FilePath;
import java.util.Optional;
import java.util.OptionalLong;

/** The translation of quotas to messages and back. */
public final class QuotaCodec {
    private QuotaCodec() {}

    public static QuotaReply reply(Optional<Quota> quota) {
        QuotaReply.Builder reply = QuotaReply.newBuilder();
        quota.ifPresent(known -> reply.setQuota(message(known)));
        return reply.build();
    }

    static QuotaMessage message(Quota quota) {
        QuotaMessage.Builder message =
                QuotaMessage.newBuilder().setNames(quota.names()).setBytes(quota.bytes());
        quota.mostNames().ifPresent(message::setMostNames);
        quota.mostBytes().ifPresent(message::setMostBytes);
        return message.build();
    }

    public static Optional<Quota> quota(QuotaReply reply) {
        return reply.hasQuota() ? Optional.of(quota(reply.getQuota())) : Optional.empty();
    }

    static Quota quota(QuotaMessage told) {
        return new Quota(
                told.hasMostNames() ? OptionalLong.of(told.getMostNames()) : OptionalLong.empty(),
                told.hasMostBytes() ? OptionalLong.of(told.getMostBytes()) : OptionalLong.empty(),
                told.getNames(),
                told.getBytes());
    }

    public static SetQuotaRequest request(String mount, long request, FilePath directory, QuotaChange change) {
        SetQuotaRequest.Builder message =
                SetQuotaRequest.newBuilder().setMount(mount).setRequest(request).setPath(directory.value());
        change.mostNames().ifPresent(message::setMostNames);
        change.mostBytes().ifPresent(message::setMostBytes);
        return message.build();
    }

    public static QuotaChange change(SetQuotaRequest request) {
        return new QuotaChange(
                request.hasMostNames() ? OptionalLong.of(request.getMostNames()) : OptionalLong.empty(),
                request.hasMostBytes() ? OptionalLong.of(request.getMostBytes()) : OptionalLong.empty());
    }
}
