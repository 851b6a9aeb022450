// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.rpc;

import io.packing.bdt.Evacuation;
import io.packing.bdt.MountHomes;

/** The translation of the places of mounts, and of their evacuations, to messages and back. */
public final class HomesCodec {
    private HomesCodec() {}

    public static MountHomesMessage encode(MountHomes homes) {
        MountHomesMessage.Builder message = MountHomesMessage.newBuilder()
                .setCalled(homes.called())
                .setNumber(homes.number())
                .setSinceMicros(homes.sinceMicros());
        homes.places()
                .forEach(place -> message.addPlaces(
                        PlaceMessage.newBuilder().putAllOptions(place).build()));
        return message.build();
    }

    public static MountHomes decode(MountHomesMessage m) {
        return m.getNumber() == 0
                ? MountHomes.NONE
                : new MountHomes(
                        m.getCalled(),
                        m.getNumber(),
                        m.getSinceMicros(),
                        m.getPlacesList().stream()
                                .map(PlaceMessage::getOptionsMap)
                                .toList());
    }

    public static EvacuationMessage encode(Evacuation evacuation) {
        return EvacuationMessage.newBuilder()
                .setFrom(evacuation.from())
                .setTo(evacuation.to())
                .setBlobs(evacuation.blobs())
                .setCopied(evacuation.copied())
                .setCopiedBytes(evacuation.copiedBytes())
                .setProblem(evacuation.problem())
                .setDone(evacuation.done())
                .build();
    }

    public static Evacuation decode(EvacuationMessage m) {
        return new Evacuation(
                m.getFrom(), m.getTo(), m.getBlobs(), m.getCopied(), m.getCopiedBytes(), m.getProblem(), m.getDone());
    }
}
