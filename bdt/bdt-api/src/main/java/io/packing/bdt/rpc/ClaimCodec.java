// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.rpc;

import com.google.protobuf.ByteString;
import io.packing.bdt.AppendTarget;
import io.packing.bdt.BdtUser;
import io.packing.bdt.Claim;
import io.packing.bdt.ClaimResult;
import io.packing.bdt.RareAttributeChange;
import io.packing.blob.FilePath;
import io.packing.blob.FileVersion;
import java.util.Optional;
import java.util.OptionalInt;

/** The translation of claims and their results to messages and back. */
public final class ClaimCodec {
    private ClaimCodec() {}

    public static ClaimMessage encode(Claim claim) {
        ClaimMessage.Builder message = ClaimMessage.newBuilder()
                .setFileId(claim.fileId())
                .setPath(claim.path().value())
                .setAttributes(BdtCodec.attributes(claim.attributes()))
                .setCreateParents(claim.createParents())
                .setOverwrite(claim.overwrite())
                .setDeferred(claim.deferred())
                .setSha256(claim.sha256().map(BdtCodec::hash).orElse(ByteString.EMPTY))
                .setShared(claim.shared())
                .setUser(claim.user().map(BdtUser::name).orElse(""))
                .setSuperuser(claim.user().map(BdtUser::superuser).orElse(false));
        if (!claim.extra().isNone()) {
            message.setExtra(ExtrasCodec.encode(claim.extra()));
        }
        claim.fingerprint().ifPresent(message::setFingerprint);
        claim.append()
                .ifPresent(append -> message.setAppend(AppendMessage.newBuilder()
                        .setPath(append.path().value())
                        .setVersion(BdtCodec.version(append.version()))
                        .setOffset(append.offset())));
        return message.build();
    }

    public static Claim decode(ClaimMessage m) {
        return new Claim(
                m.getFileId(),
                new FilePath(m.getPath()),
                BdtCodec.attributes(m.getAttributes()),
                m.getCreateParents(),
                m.getOverwrite(),
                m.getDeferred(),
                m.getSha256().isEmpty() ? Optional.empty() : Optional.of(BdtCodec.hash(m.getSha256())),
                m.getShared(),
                m.getUser().isEmpty() ? Optional.empty() : Optional.of(new BdtUser(m.getUser(), m.getSuperuser())),
                m.hasExtra() ? ExtrasCodec.decode(m.getExtra()) : RareAttributeChange.NONE,
                m.hasFingerprint() ? OptionalInt.of(m.getFingerprint()) : OptionalInt.empty(),
                m.hasAppend() ? Optional.of(append(m.getAppend())) : Optional.empty());
    }

    private static AppendTarget append(AppendMessage m) {
        return new AppendTarget(new FilePath(m.getPath()), BdtCodec.version(m.getVersion()), m.getOffset());
    }

    /** Returns the answer with a result; an appended file's id is the one in its claim. */
    public static ClaimBatchReply.Answer answer(ClaimResult result) {
        ClaimBatchReply.Answer.Builder answer = ClaimBatchReply.Answer.newBuilder();
        if (result instanceof ClaimResult.Granted granted) {
            answer.setGeneration(granted.version().generation());
            granted.appended().ifPresent(version -> answer.setAppended(version.generation()));
        } else if (result instanceof ClaimResult.Refused refused) {
            answer.setRefusal(BdtCodec.outcome(refused.reason()))
                    .setMessage(StatusMapping.shortened(refused.message()));
        }
        return answer.build();
    }

    /** Returns the result in the answer to a claim. */
    public static ClaimResult result(Claim claim, ClaimBatchReply.Answer answer) {
        if (answer.getGeneration() <= 0) {
            return new ClaimResult.Refused(BdtCodec.outcome(answer.getRefusal()), answer.getMessage());
        }
        return new ClaimResult.Granted(
                new FileVersion(claim.fileId(), answer.getGeneration()),
                claim.append()
                        .filter(append -> answer.getAppended() > 0)
                        .map(append -> new FileVersion(append.version().id(), answer.getAppended())));
    }
}
