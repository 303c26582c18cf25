# Stands in for a trainer of `$epochs` epochs of at least `$seconds` each: rests, saves and goes on as the real one does.
# `$whole` is a checkpoint; `say` tells an event.
epoch=1
if grep -q '"resume"' arguments.json; then epoch=$(($(cat saved) + 1)); fi
full() { say '{"event":"error","class":"OSError","text":"[Errno 28] No space left on device","traceback":""}'; exit 74; }
say '{"event":"boot","pid":1,"python":"3.11.7"}'
mkdir -p output/weights
table=output/results.csv
[ -e $table ] || echo 'epoch,time,train/box_loss,metrics/mAP50(B)' > $table
# What comes after the checkpoint is trained again.
head -n $epoch $table > $table.new && mv $table.new $table || full
say '{"event":"start","epochs":'$epochs',"first_epoch":'$epoch',"batch":4,"batches":2,"imgsz":64,"device":"cpu","amp":false,"optimizer":"AdamW","parameters":3011238,"train_images":8,"val_images":4}'
while [ $epoch -le $epochs ]; do
  say '{"event":"batch","epoch":'$epoch',"batch":1,"batches":2,"losses":{},"gpu_reserved":0,"seconds":0.1}'
  sleep $seconds
  echo $epoch,1,1.5,0.5 >> $table || full
  cp "$whole" output/weights/last.pt || full
  if [ $epoch -lt $epochs ]; then
    cp "$whole" checkpoint.pt.part && echo $epoch > saved.part || full
    mv checkpoint.pt.part checkpoint.pt && mv saved.part saved
  fi
  say '{"event":"epoch","epoch":'$epoch',"losses":{},"metrics":{"metrics/mAP50(B)":0.5},"learning_rates":{},"seconds":1}'
  if [ $epoch -lt $epochs ] && [ -e pause ]; then
    say '{"event":"paused","epoch":'$epoch'}'
    mv pause paused
    exit 75
  fi
  epoch=$((epoch + 1))
done
say '{"event":"done","metrics":{},"best":"/o/best.pt","folder":"/o","seconds":3}'
