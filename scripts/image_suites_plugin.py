"""Puts Lanework's nms, resize and warp in the place of another library's functions while pytest runs that library's own tests.

Loaded by scripts/image-suites with `-p`; LANEWORK_SUITE names the library, LANEWORK_CALLS a file for what each test called. Each adapter
is the other library's signature and nothing else. What no function here computes (another border, another type of elements, gradients)
is left to the library, and the reason is kept with the test.
"""
import collections
import json
import os
import sys

import numpy as np
import torch

import lanework

calls = collections.defaultdict(lambda: {"ours": 0, "theirs": []})
running = [""]


def pytest_runtest_setup(item):
    running[0] = item.nodeid


def ours():
    calls[running[0]]["ours"] += 1


def left(reason):
    """Keeps why a call is not ours, once for each test."""
    reasons = calls[running[0]]["theirs"]
    if reason not in reasons:
        reasons.append(reason)


def why_not(tensor):
    """Why no function here takes such a tensor; empty where they do."""
    if tensor.is_quantized:
        return "quantized numbers"
    if tensor.dtype != torch.float32:
        return f"elements of {str(tensor.dtype).removeprefix('torch.')}"
    if tensor.requires_grad:
        return "gradients"
    return "compilation or tracing" if torch.compiler.is_compiling() or torch.jit.is_tracing() else ""


def planes(tensor):
    """Images of one channel, row by row."""
    return list(np.ascontiguousarray(tensor.numpy().reshape(-1, *tensor.shape[-2:])))


def stacked(images, shape):
    return torch.from_numpy(np.stack(images)).reshape(shape) if images else torch.empty(shape)


def kept_boxes(boxes, scores, iou_threshold, classes=None):
    ours()
    return torch.as_tensor(lanework.nms(boxes, scores, classes, float(iou_threshold))).long()


def put_into_torchvision():
    from torchvision import ops

    original, original_by_class = ops.boxes.nms, ops.boxes._batched_nms_coordinate_trick

    def nms(boxes, scores, iou_threshold):
        reason = why_not(boxes) or why_not(scores)
        if reason:
            left(reason)
            return original(boxes, scores, iou_threshold)
        try:
            return kept_boxes(boxes, scores, iou_threshold)
        except (ValueError, TypeError) as error:  # the kind that is promised
            raise RuntimeError(str(error)) from error

    def by_class(boxes, scores, idxs, iou_threshold):
        if boxes.numel() == 0:
            left("no boxes, without scores")
            return original_by_class(boxes, scores, idxs, iou_threshold)
        return kept_boxes(boxes, scores, iou_threshold, idxs.int())

    ops.nms = ops.boxes.nms = nms
    ops.boxes._batched_nms_coordinate_trick = by_class  # which a test holds against one call for each class


def put_in_place_of(original, replacement):
    """Wherever the library's modules have the function."""
    for name, module in list(sys.modules.items()):
        if name.split(".")[0] == "kornia":
            for attribute, value in list(vars(module).items()):
                if value is original:
                    setattr(module, attribute, replacement)


def put_into_kornia():
    import kornia
    import kornia.geometry.bbox
    import kornia.geometry.transform.imgwarp as imgwarp

    interpolate, warp_affine, nms = torch.nn.functional.interpolate, imgwarp.warp_affine, kornia.geometry.bbox.nms

    def resized(input, size=None, scale_factor=None, mode="nearest", align_corners=None, **others):
        reason = why_not(input)
        if mode != "bilinear" or align_corners or size is None or input.dim() != 4 or others.get("antialias"):
            reason = f"interpolation {mode}, align_corners={align_corners}"
        if reason:
            left(reason)
            return interpolate(input, size, scale_factor, mode, align_corners, **others)
        ours()
        size = tuple(map(int, size))
        return stacked(lanework.resize(planes(input), size, "float"), (*input.shape[:2], *size))

    def warped(src, M, dsize, mode="bilinear", padding_mode="zeros", align_corners=True, fill_value=None):
        def theirs(reason):
            left(reason)
            return warp_affine(src, M, dsize, mode, padding_mode, align_corners, fill_value)

        if not (isinstance(src, torch.Tensor) and isinstance(M, torch.Tensor) and src.dim() == 4 and M.dim() == 3):
            return theirs("arguments that it refuses itself")
        if mode != "bilinear" or padding_mode not in ("zeros", "fill") or not align_corners:
            return theirs(f"interpolation {mode}, border {padding_mode}, align_corners={align_corners}")
        if reason := why_not(src) or why_not(M):
            return theirs(reason)
        ours()
        channels = src.shape[1]
        border = torch.zeros(channels) if padding_mode == "zeros" or fill_value is None else fill_value.expand(channels)
        matrices = M.double().numpy()
        images = []
        for k, plane in enumerate(planes(src)):
            matrix = matrices[k // channels if len(matrices) > 1 else 0]
            images.append(lanework.warp(plane, matrix, tuple(dsize), "float", border=float(border[k % channels])))
        return stacked(images, (*src.shape[:2], *dsize))

    def without_overlap(boxes, scores, iou_threshold):
        if reason := why_not(boxes) or why_not(scores):
            left(reason)
            return nms(boxes, scores, iou_threshold)
        return kept_boxes(boxes, scores, iou_threshold)

    torch.nn.functional.interpolate = resized
    put_in_place_of(warp_affine, warped)
    put_in_place_of(nms, without_overlap)


{"torchvision": put_into_torchvision, "kornia": put_into_kornia}[os.environ["LANEWORK_SUITE"]]()


def pytest_sessionfinish():
    with open(os.environ["LANEWORK_CALLS"], "w", encoding="utf-8") as file:
        json.dump(calls, file)
